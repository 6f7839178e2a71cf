import Foundation
import SynthCatalogue
import SynthEngineWire
import SynthModelStore
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

/// Uses the shipped registry, as if the engines of all its voices were installed.
@Suite("Advice for new users")
struct PaceAdviceTests {
    private static func directory(_ engines: [String] = ["hibari", "kokoro", "piper"]) throws -> VoiceDirectory {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let registry = try Registry(RegistryText.all(shipped: root.appending(path: "models.json").path, user: nil))
        return VoiceDirectory(engines: engines.map { VoiceEngine(id: $0) }, voices: registry.voices)
    }

    @Test(
        "The recommended voice is in the user's language if possible and otherwise in English",
        arguments: [
            (nil, "af_kore-small"), ("en-us", "af_kore-small"), ("en-au", "af_kore-small"), ("en-gb", "bf_emma-small"),
            ("de", "de_DE-thorsten-medium"), ("de-at", "de_DE-thorsten-medium"), ("fr-fr", "ff_siwis"),
            ("es-mx", "es_MX-ald-medium"), ("pl", "pl_PL-darkman-medium"), ("zh-cn", "zh_CN-huayan-medium"),
            ("ja-jp", "af_kore-small"), ("tlh", "af_kore-small"), ("", "af_kore-small"),
        ] as [(String?, String)])
    func language(language: String?, voice: String) throws {
        #expect(try Self.directory().offers(for: language).first?.id == voice)
    }

    @Test(
        "On a slow machine, a faster voice in the same language is recommended instead of a large one",
        arguments: [
            ("en-us", 100.0, "af_heart"), ("en-us", 11, "en_US-kristin-medium"), ("en-gb", 11, "en_GB-cori-medium"),
            ("fr", 11, "fr_FR-siwis-medium"), ("de", 11, "de_DE-thorsten-medium"),
            // This machine is too slow even for medium quality, and the one in the next case is too slow for any
            // quality.
            ("de", 3.5, "de_DE-karlsson-low"), ("de", 0.1, "de_DE-eva_k-x_low"),
        ])
    func machine(language: String, rate: Double, voice: String) throws {
        let offers = try Self.directory(["kokoro", "piper"]).offers(for: language)
        let advice = try #require(PaceAdvice(offers, pace: MachinePace(rate: rate)))
        #expect(advice.voice.id == voice)
        #expect((advice.slower == nil) == (advice.voice.id == offers.first?.id))
        if let slower = advice.slower { #expect(slower.voice.id == offers.first?.id) }
    }

    @Test("If the machine's speed is unknown, the best voice is recommended unless there are no voices at all")
    func unknown() throws {
        let offers = try Self.directory().offers(for: "en")
        #expect(PaceAdvice(offers, pace: nil)?.voice.id == "af_kore-small")
        #expect(PaceAdvice([], pace: nil) == nil)
    }

    @Test(
        "The list for all languages is short, begins with the starter voices, and covers most languages in the registry"
    )
    func languages() throws {
        let voices = try Self.directory().recommended
        #expect(voices.first?.id == "af_kore-small" && voices.prefix { $0.starter != nil }.count == 8)
        #expect(Set(voices.map(\.folder)).count == voices.count && voices.count < 80)
        let ids = Set(voices.map(\.id))
        #expect(ids.isSuperset(of: ["de_DE-thorsten-medium", "pl_PL-darkman-medium", "ff_siwis"]))
        #expect(ids.contains("fr_FR-siwis-medium"))
        #expect(!ids.contains("de_DE-karlsson-low") && Set(voices.map(\.language)).count > 50)
    }

    @Test(
        "The recommendation also applies if only an engine is specified",
        arguments: [
            ("piper", nil, "en_US-kristin-medium"), ("piper", "en-gb", "en_GB-cori-medium"),
            ("piper", "de", "de_DE-thorsten-medium"), ("piper", "tlh", "en_US-kristin-medium"),
            ("kokoro", nil, "af_heart"), ("kokoro", "en-gb", "bf_emma"), ("kokoro", "de", "af_heart"),
            ("hibari", nil, "af_kore-small"), ("hibari", "en-gb", "bf_emma-small"), ("hibari", "de", "af_kore-small"),
        ] as [(String, String?, String)])
    func engine(engine: String, language: String?, voice: String) throws {
        let choice = try Self.directory().choose(VoiceQuery(engine: engine, localeLanguage: language))
        #expect(choice.voice.id == voice)
    }
}
