import Testing

@testable import SynthCatalogue

@Suite("Selecting a blend of voices")
struct VoiceBlendTests {
    private static func voice(_ id: String, _ name: String, speakers: [String] = [], model: String? = "choir")
        -> DeclaredVoice
    {
        DeclaredVoice(id: id, name: name, language: "en", model: model, speakers: speakers)
    }

    private let directory: VoiceDirectory = {
        var choir = TestEngine(
            id: "choir",
            voices: [
                voice("af_heart", "Heart"), voice("af_bella", "Bella"), voice("bf_emma", "Emma"),
                voice("duo", "Duo", speakers: ["High", "Low", "Bella"]), voice("solo", "Solo", model: nil),
            ])
        choir.blends = true
        let flute = TestEngine(
            id: "flute",
            voices: [voice("emma", "Emma", speakers: ["f3"], model: nil), voice("reed", "Reed", model: nil)])
        return VoiceDirectory(engines: [flute, choir])
    }()

    private func shares(_ name: String, _ query: VoiceQuery = VoiceQuery()) throws(VoiceError) -> [String] {
        var query = query
        query.name = name
        return try directory.choose(query).shares.map { share in
            let weight = (share.weight * 10_000).rounded() / 10_000
            return ([share.voice.id] + [share.speaker].compactMap { $0 } + ["\(weight)"]).joined(separator: " ")
        }
    }

    @Test("Weights are scaled to add up to 1, and equal weights may be omitted")
    func weights() throws {
        #expect(try shares("Heart+Bella") == ["af_heart 0.5", "af_bella 0.5"])
        #expect(try shares("heart * 0.7 + bella * 0.3") == ["af_heart 0.7", "af_bella 0.3"])
        #expect(try shares("Heart*70+Bella*30") == ["af_heart 0.7", "af_bella 0.3"])
        #expect(try shares("Heart*2+Bella") == ["af_heart 0.6667", "af_bella 0.3333"])
        #expect(try shares("Heart+Heart*3") == ["af_heart 0.25", "af_heart 0.75"])
        #expect(try shares("Heart*0.2") == ["af_heart 1.0"])
    }

    @Test("The name after a voice selects one of the voice's speakers or, if it has no such speaker, a different voice")
    func speakers() throws {
        #expect(try shares("Duo+low") == ["duo Low 1.0"])
        #expect(try shares("Duo+low+Duo+high") == ["duo Low 0.5", "duo High 0.5"])
        #expect(try shares("Duo+Low*3+Heart") == ["duo Low 0.75", "af_heart 0.25"])
        #expect(try shares("Duo+Bella") == ["duo Bella 1.0"])
        #expect(try shares("Duo*1+Bella") == ["duo 0.5", "af_bella 0.5"])
        #expect(try shares("Duo+Heart") == ["duo 0.5", "af_heart 0.5"])
        #expect(try shares("Emma+f3", VoiceQuery(engine: "flute")) == ["emma f3 1.0"])
    }

    @Test("A voice whose engine supports blending takes precedence over another voice with the same name")
    func engines() throws {
        #expect(try shares("Heart+Emma") == ["af_heart 0.5", "bf_emma 0.5"])
        #expect(try shares("Emma+Heart", VoiceQuery(preferredEngine: "flute")) == ["bf_emma 0.5", "af_heart 0.5"])
    }

    @Test("Blends can be set in the configuration")
    func remembered() throws {
        let query = VoiceQuery(engine: "choir", remembered: ["choir": "Heart*3+Bella"])
        #expect(try directory.choose(query).shares.map(\.weight) == [0.75, 0.25])
        #expect(throws: VoiceError.forgottenVoice("Heart+Bela", engine: "choir", near: ["Bella"])) {
            try directory.choose(VoiceQuery(engine: "choir", remembered: ["choir": "Heart+Bela"]))
        }
    }

    @Test("If voices cannot be blended, the error includes the reason")
    func mistakes() {
        func expect(_ name: String, _ error: VoiceError, _ query: VoiceQuery = VoiceQuery()) {
            #expect(throws: error, "\(name)") { try shares(name, query) }
        }
        expect("Heart+Bela", .unknownVoice("Bela", near: ["Bella"]))
        expect("Hart*0.5+Bella*0.5", .unknownVoice("Hart", near: ["Heart"]))
        expect("Heart+Reed", .blendOfEngines("Heart", "choir", other: "Reed", otherEngine: "flute"))
        expect("Reed*1+emma", .noBlends(engine: "flute"), VoiceQuery(engine: "flute"))
        expect("Heart+Solo", .blendOfModels("Heart", other: "Solo"))
        expect("Heart*x+Bella", .noWeight("x", voice: "Heart"))
        expect("Heart+", .incompleteBlend("Heart+"))
        expect("Heart+Bella", .speakerOfBlend("Low"), VoiceQuery(speaker: "Low"))
        expect("Duo+Lov", .unknownSpeaker("Lov", voice: "Duo", speakers: ["High", "Low", "Bella"]))
        expect("Reed+f3", .unknownSpeaker("f3", voice: "Reed", speakers: []))
        let many = Array(repeating: "Heart", count: 9).joined(separator: "+")
        expect(many, .largeBlend(9, largest: 8))
    }

    @Test("A blend's title contains the names and the weights if they differ")
    func title() throws {
        func title(_ name: String) throws -> String { try directory.choose(VoiceQuery(name: name)).title }
        #expect(try title("Heart+Bella") == "Heart + Bella")
        #expect(try title("Heart*0.7+Bella*0.3") == "70 % Heart + 30 % Bella")
        #expect(try title("Heart*2+Duo+High") == "66.7 % Heart + 33.3 % Duo, High")
        #expect(try title("Duo+Low") == "Duo, Low")
    }
}
