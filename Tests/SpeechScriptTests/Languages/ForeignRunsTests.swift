import Testing
import TestNumbers

@testable import SynthScript

@Suite("Text that a voice cannot read")
struct ForeignRunsTests {
    /// Returns the text, with each run in a different language as `{ru:…}`.
    private func marked(_ text: String, _ language: String, speaking: (String) -> Bool = { _ in true }) -> String {
        let bytes = Array(text.utf8)
        return ForeignRuns.find(in: text, of: language, where: speaking).map { run in
            let stretch = String(decoding: bytes[run.range], as: UTF8.self)
            return run.language.map { "{\($0):\(stretch)}" } ?? stretch
        }.joined()
    }

    @Test(
        "Text in another language and adjacent punctuation are assigned to that language, but numbers are not",
        arguments: [
            ("en", "The word{ru: Москва} means Moscow."), ("en", "Is it{ru: (Москва),} or not?"),
            ("en", "He said:{ru: «Я был в Москве в 2026 году.»} Then he left."),
            ("en", "In 1990{ru: Москва} 5 was old."), ("en", "{ru:Привет!}"), ("en", "{ru:– Привет.}"),
            ("en", "I like{uk: Київ} and{be: Хлеў} and{mk: Ѓорѓи} and{sr: Ђорђе.}"),
            ("en", "{ar:مرحبا,}{he: שלום,}{hi: नमस्ते।}{th: สวัสดี}"), ("en", "In Tehran:{fa: چای,} in Lahore:{ur: لڑکا.}"),
            ("de", "Das Wort{el: λόγος-}Lehre ist griechisch."), ("en", "{ka:გამარჯობა}{hy: բարև}{ko: 안녕하세요}"),
            ("en", "{zh:北京} is big."), ("en", "{ja:東京へ行く,} she said, to{ja: 東京.}"), ("fr", "{ru:«Война и мир»,} 1869"),
            ("en", "1.{ru: Москва}"), ("en", "In 5{ru: Москва}"),
            ("en", "the{zh:北京}duck"), ("en", "a{zh:的}b"),
            ("ru", "Я читаю{en: The Lord of the Rings} и люблю iPhone."), ("ru", "Он сказал Hello и OK."),
            ("ru", "Он{el: λόγος} и{en: to be or not to be.}"), ("zh", "我用{en:iPhone}看GDP和5 km。"),
            ("cmn-Hans", "我在{en:Python}里写"), ("ja", "私は{en:Python}を東京で使う"), ("ja", "東京"), ("ko", "漢字 한자 iPhone을"),
            ("yue", "香港"), ("zh", "他说{ja:こんにちは。}"), ("he", "אני משתמש{en: Windows} כאן"), ("uk", "Это по-русски."),
        ])
    func table(_ language: String, _ expected: String) {
        var text = expected.replacing(/\{[a-z]+:/, with: "")
        text.removeAll { $0 == "}" }
        #expect(marked(text, language) == expected)
    }

    @Test(
        "Symbols, look-alike letters, and letters that the text's language uses are not reassigned",
        arguments: [
            ("en", "Angle α and β, ΔT of 5 μm, π."), ("en", "An Аpple with a Cyrillic A."),
            ("en", "Žižek ate a naïve crème brûlée."),
            ("en", "Rätsel № 5 — ½ · 20 °C 😀 ①"), ("en", ""), ("en", "1234"), ("ru", "Москва"),
            ("ru", "Я купил iPhone 15 Pro."),
            ("hi", "यह WhatsApp है।"), ("el", "Το email μου"), ("ar", "هذا جيد،"), ("en", "e\u{301}te\u{301}"),
        ])
    func unchanged(_ language: String, _ text: String) {
        #expect(ForeignRuns.find(in: text, of: language) { _ in true } == [.init(range: 0..<text.utf8.count)])
    }

    @Test("Text in another language is not reassigned if no voice speaks that language")
    func unspoken() {
        #expect(marked("One Москва two नमस्ते", "en") { $0 == "hi" } == "One Москва two{hi: नमस्ते}")
        #expect(marked("Москва", "en") { _ in false } == "Москва")
    }

    @Test("Random texts are split only between characters, and no text is lost", arguments: 0..<200)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed)
        let pieces = [
            "Москва", "λ", "λόγος", "東京", "へ", "word", " ", " ", ",", "«", "12", "\u{301}", "नमस्ते", "😀", "한국", "ب", "بي",
        ]
        let text = (0..<40).compactMap { _ in pieces.randomElement(using: &random) }.joined()
        for language in ["en", "ru", "ja", "zh", "ar"] {
            var end = 0
            for run in ForeignRuns.find(in: text, of: language, where: { $0 != "hi" }) {
                #expect(run.range.lowerBound == end && !run.range.isEmpty && run.language != "hi")
                end = run.range.upperBound
                #expect(end == text.utf8.count || Array(text.utf8)[end] & 0xC0 != 0x80)
            }
            #expect(end == text.utf8.count)
        }
    }

    @Test("An utterance is split where the language changes, but not within a unit that is spoken as a whole")
    func utterance() throws {
        var script = PlainTextScript()
        try script.append("x\n\nSay Москва now.")
        try script.finish()
        _ = script.next()
        let second = script.next()
        let utterance = try #require(second)
        let parts = utterance.cutAtLanguages("en") { _ in true }
        #expect(parts.map(\.text) == ["Say", "Москва", "now."])
        #expect(parts.map(\.style.language) == [nil, "ru", nil])
        #expect(parts.map(\.sourceRange) == [3..<6, 7..<19, 20..<24])
        #expect(parts.map(\.pauseAfter) == [.none, .none, utterance.pauseAfter])

        let whole = Utterance(
            text: "Say Москва now", source: utterance.source, pauseAfter: .sentence,
            pronunciations: [.init(range: 0..<16, value: ScriptPronunciation(ipa: "x", hasWords: true))])
        #expect(whole.cutAtLanguages("en") { _ in true } == [whole])
    }
}
