import Testing

@testable import SynthCatalogue

@Suite("Selecting a voice")
struct VoiceDirectoryTests {
    private static func engine(_ id: String, _ voices: [DeclaredVoice]) -> TestEngine {
        TestEngine(id: id, voices: voices)
    }

    private let directory = VoiceDirectory(
        engines: [
            engine(
                "piano",
                [
                    DeclaredVoice(id: "af_heart", name: "Heart", language: "en-US", accent: "American"),
                    DeclaredVoice(id: "bf_emma", name: "Emma", language: "en-GB", accent: "British"),
                    DeclaredVoice(id: "hans", name: "Hans", language: "de", speakers: ["Calm", "Loud"]),
                ]),
            engine(
                "espeak-ng",
                [
                    DeclaredVoice(
                        id: "en-gb", name: "English", language: "en-GB", accent: "Great Britain", speakers: ["f3"]),
                    DeclaredVoice(id: "en-us", name: "English", language: "en-US", accent: "America"),
                    DeclaredVoice(id: "de", name: "German", language: "de"),
                    DeclaredVoice(id: "pt-br", name: "Portuguese", language: "pt-BR"),
                    DeclaredVoice(id: "emma", name: "Emma", language: "en-IE"),
                ]),
            engine("empty", []),
        ], first: "espeak-ng")

    private func id(_ query: VoiceQuery) throws(VoiceError) -> String {
        let choice = try directory.choose(query)
        return ([choice.voice.engine, choice.voice.id] + [choice.speaker].compactMap { $0 }).joined(
            separator: " ")
    }

    @Test(
        "Voices are found by name, by name and accent, and by ID, ignoring case",
        arguments: [
            ("Heart", "piano af_heart"), ("heart", "piano af_heart"), ("Heart (American)", "piano af_heart"),
            ("heart  (american)", "piano af_heart"), ("af_heart", "piano af_heart"), ("AF-Heart", "piano af_heart"),
            ("English (America)", "espeak-ng en-us"), ("EN_GB", "espeak-ng en-gb"), ("pt-BR", "espeak-ng pt-br"),
            ("hans+loud", "piano hans Loud"), ("en-gb+f3", "espeak-ng en-gb f3"),
        ])
    func names(name: String, expected: String) throws {
        #expect(try id(VoiceQuery(name: name)) == expected)
    }

    @Test("Ambiguous names are resolved by language, engine and configuration, or cause an error")
    func ambiguous() throws {
        #expect(
            throws: VoiceError.ambiguousVoice("English", candidates: ["English (Great Britain)", "English (America)"])
        ) {
            try directory.choose(VoiceQuery(name: "English"))
        }
        #expect(try id(VoiceQuery(name: "English", language: "en-us")) == "espeak-ng en-us")
        #expect(try id(VoiceQuery(name: "Emma", engine: "piano")) == "piano bf_emma")
        #expect(try id(VoiceQuery(name: "Emma (British)", preferredEngine: "piano")) == "piano bf_emma")
        // An ID takes precedence over a name, and the configured engine takes precedence over both.
        #expect(try id(VoiceQuery(name: "emma")) == "espeak-ng emma")
        #expect(try id(VoiceQuery(name: "emma", preferredEngine: "piano")) == "piano bf_emma")
        #expect(try id(VoiceQuery(name: "Heart", preferredEngine: "espeak-ng")) == "piano af_heart")
    }

    @Test("The error for an unknown voice includes suggestions")
    func unknown() {
        #expect(throws: VoiceError.unknownVoice("Hart", near: ["Heart"])) { try id(VoiceQuery(name: "Hart")) }
        #expect(throws: VoiceError.unknownVoice("Englsh", near: ["English (Great Britain)", "English (America)"])) {
            try id(VoiceQuery(name: "Englsh"))
        }
        #expect(throws: VoiceError.unknownVoice("Heart", near: [])) {
            try id(VoiceQuery(name: "Heart", engine: "espeak-ng"))
        }
        #expect(throws: VoiceError.unknownEngine("espek", near: ["espeak-ng"])) { try id(VoiceQuery(engine: "espek")) }
        #expect(throws: VoiceError.noVoices(engine: "empty")) { try id(VoiceQuery(engine: "empty")) }
        #expect(throws: VoiceError.noEngine) { try VoiceDirectory(engines: []).choose(VoiceQuery()) }
        #expect(throws: VoiceError.unknownLanguage("fr", engine: "piano", near: [])) {
            try id(VoiceQuery(language: "fr", engine: "piano"))
        }
        #expect(throws: VoiceError.unknownSpeaker("Soft", voice: "Hans", speakers: ["Calm", "Loud"])) {
            try id(VoiceQuery(name: "Hans", speaker: "Soft"))
        }
        #expect(throws: VoiceError.forgottenVoice("Hartt", engine: "piano", near: ["Heart"])) {
            try id(VoiceQuery(engine: "piano", remembered: ["piano": "Hartt"]))
        }
    }

    @Test(
        "If no voice is named, the requested language, the configured voice or the locale selects it, in that order"
    )
    func unnamed() throws {
        #expect(try id(VoiceQuery()) == "espeak-ng en-gb")
        #expect(try id(VoiceQuery(localeLanguage: "de-at")) == "espeak-ng de")
        #expect(try id(VoiceQuery(localeLanguage: "xx")) == "espeak-ng en-gb")
        #expect(try id(VoiceQuery(remembered: ["espeak-ng": "German", "piano": "Heart"])) == "espeak-ng de")
        #expect(try id(VoiceQuery(language: "en-US", remembered: ["espeak-ng": "German"])) == "espeak-ng en-us")
        #expect(try id(VoiceQuery(preferredEngine: "piano", localeLanguage: "de")) == "piano hans")
        #expect(try id(VoiceQuery(engine: "espeak-ng", preferredEngine: "piano")) == "espeak-ng en-gb")
    }

    @Test("Example engines are used only if the engine or its voice is named")
    func examples() throws {
        var example = Self.engine("hum", [DeclaredVoice(id: "low", name: "Low", language: "en")])
        example.isExample = true
        let alone = VoiceDirectory(engines: [example])
        #expect(throws: VoiceError.onlyExamples(["hum"])) { try alone.choose(VoiceQuery()) }
        #expect(throws: VoiceError.onlyExamples(["hum"])) { try alone.choose(VoiceQuery(language: "en")) }
        #expect(try alone.choose(VoiceQuery(name: "Low")).voice.engine == "hum")
        #expect(try alone.choose(VoiceQuery(engine: "hum")).voice.engine == "hum")
        #expect(try alone.choose(VoiceQuery(preferredEngine: "hum")).voice.engine == "hum")
        let beside = VoiceDirectory(engines: [
            example, Self.engine("piano", [DeclaredVoice(id: "hans", name: "Hans", language: "de")]),
        ])
        #expect(try beside.choose(VoiceQuery()).voice.engine == "piano")
    }

    @Test("For a language, the exact tag is preferred, followed by a more general tag and then a more specific one")
    func languages() {
        let voices = directory.voices
        func best(_ tag: String) -> String? { VoiceMatch.best(forLanguage: tag, among: voices)?.id }
        #expect(best("en-GB") == "bf_emma" || best("en-GB") == "en-gb")
        #expect(best("en_us") == "en-us")
        #expect(best("de-CH") == "de")
        #expect(best("pt") == "pt-br")
        #expect(best("pt-PT") == "pt-br")
        #expect(best("fr") == nil && best("") == nil && best("e") == nil)
        #expect(VoiceMatch.covers("en", "en-GB") && VoiceMatch.covers("EN_gb", "en-GB"))
        #expect(!VoiceMatch.covers("en-GB", "en") && !VoiceMatch.covers("e", "en"))
    }

    @Test(
        "A language matches voices that are declared with an equivalent tag",
        arguments: [
            ("zh", "cmn"), ("zh-CN", "cmn"), ("zh-Hans-CN", "cmn"), ("ZH_cn", "cmn"), ("zh-HK", "yue"),
            ("zh-yue", "yue"), ("cmn", "cmn"), ("cmn-CN", "cmn"), ("no", "nb"), ("no-NO", "nb"), ("nn", "nb"),
            ("iw", "he"), ("tl", "fil"), ("id", "id"), ("lvs", "lv"), ("arb", "ar"), ("sh", "hr"), ("th", nil),
        ] as [(String, String?)])
    func relatedTags(tag: String, expected: String?) {
        let spoken = ["yue", "cmn", "nb", "he", "fil", "id", "lv", "ar", "hr"]
        let voices = VoiceDirectory(
            engines: [
                Self.engine("voices", spoken.map { DeclaredVoice(id: "v-\($0)", name: $0, language: $0) })
            ], first: "voices"
        ).voices
        let expected = expected.map { "v-\($0)" }
        #expect(VoiceMatch.best(forLanguage: tag, among: voices)?.id == expected)
        #expect(VoiceMatch.offered(forLanguage: tag, among: voices).first?.id == expected)
    }

    @Test("A voice with the requested tag is preferred over a voice with an equivalent tag")
    func ownTag() {
        let voices = VoiceDirectory(
            engines: [
                Self.engine(
                    "voices",
                    ["cmn", "zh-CN", "zh"].map { DeclaredVoice(id: "v-\($0.lowercased())", name: $0, language: $0) })
            ], first: "voices"
        ).voices
        func best(_ tag: String) -> String? { VoiceMatch.best(forLanguage: tag, among: voices)?.language }
        #expect(best("zh") == "zh" && best("zh-CN") == "zh-CN" && best("cmn") == "cmn")
        #expect(best("cmn-CN") == "zh-CN" && best("zh-TW") == "zh")
    }

    @Test(
        "Two tags for the same language are equivalent, and tags for different languages are not",
        arguments: [
            ("zh-CN", "cmn", true), ("no", "nb-NO", true), ("en-GB", "en_US", true), ("zh-yue", "yue", true),
            ("zh", "yue", false), ("da", "no", false), ("en", "", false),
        ])
    func sameLanguage(first: String, second: String, isSame: Bool) {
        #expect(RelatedLanguages.areSame(first, second) == isSame)
        #expect(RelatedLanguages.areSame(second, first) == isSame)
    }
}
