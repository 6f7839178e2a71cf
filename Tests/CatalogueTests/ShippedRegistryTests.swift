import Foundation
import SynthModelStore
import Testing

@testable import SynthCatalogue

@Suite("The shipped registry")
struct ShippedRegistryTests {
    private static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("models.json").path

    private static func registry() throws -> Registry { try Registry(RegistryText.all(shipped: path, user: nil)) }

    @Test("Every URL uses https and a pinned revision")
    func addresses() throws {
        let registry = try Self.registry()
        for source in registry.sources.values {
            #expect(source.url.hasPrefix("https://"))
            #expect(source.url.contains("/\(try #require(source.revision))/"), "\(source.id)")
        }
        let files = registry.voices.flatMap { $0.files + $0.alternative } + registry.models.flatMap(\.files)
        #expect(files.allSatisfy { $0.url.hasPrefix("https://") })
        // An unpinned URL may later return a different file, which the digest check would reject.
        let unpinned = files.filter { $0.url.contains("/main/") }
        #expect(unpinned.count == 5 && unpinned.allSatisfy { $0.digest.algorithm == .sha256 })
        #expect(files.flatMap(\.mirrors).allSatisfy { $0.hasPrefix("https://") })
    }

    @Test("Every file has a plausible size")
    func files() throws {
        for voice in try Self.registry().voices {
            for file in voice.files + (voice.model?.files ?? []) {
                switch file.role {
                case "model": #expect((5_000_000...400_000_000).contains(file.size), "\(file.url)")
                case "config": #expect((1_000...100_000).contains(file.size), "\(file.url)")
                case "style": #expect(file.size == 510 * 256 * 4, "\(file.url)")
                default: Issue.record("\(voice.id) has a file with the unexpected role \(file.role)")
                }
            }
        }
    }

    @Test("Every voice has files for all of its engine's roles, and so does every alternative source")
    func roles() throws {
        for voice in try Self.registry().voices {
            var expected: Set<String> = ["model"]
            if voice.engine == "piper" { expected.insert("config") }
            if voice.engine == "kokoro" { expected.insert("style") }
            #expect(Set(voice.roles) == expected, "\(voice.id)")
            guard !voice.alternative.isEmpty else { continue }
            let other = voice.alternative.flatMap { $0.archive?.roles.keys.map { $0 } ?? [$0.role] }
            #expect(Set(other) == Set(voice.files.map(\.role)), "\(voice.id)")
        }
    }

    @Test("No two voices look the same in lists")
    func names() throws {
        struct Shown: Hashable {
            let name, language, accent, engine, quality: String
        }
        var seen: [Shown: String] = [:]
        for voice in try Self.registry().voices {
            let shown = Shown(
                name: voice.name.lowercased(), language: voice.language, accent: voice.accent ?? "",
                engine: voice.engine, quality: voice.quality ?? "")
            #expect(seen[shown] == nil, "\(voice.id) and \(seen[shown] ?? "") are both \(shown)")
            seen[shown] = voice.id
            #expect(!voice.name.contains("_") && voice.name.first?.isLowercase == false, "\(voice.name)")
        }
    }

    @Test("The starter voices cover both accents, both genders and all engines, and one of them is recommended")
    func starters() throws {
        let starters = try Self.registry().starters
        #expect(
            starters.map(\.name) == [
                "Kore Small", "Emma Small", "Fenrir Small", "Heart", "George", "Kristin", "Cori", "Huayan",
            ])
        #expect(starters.filter(\.isRecommended).map(\.name) == ["Kore Small"])
    }

    @Test("Each small voice has a unique name and an alias that matches the name of the corresponding Kokoro voice")
    func namesakes() throws {
        let voices = try Self.registry().voices
        for small in voices where small.engine == "hibari" {
            let large = try #require(voices.first { $0.id + "-small" == small.id })
            #expect(small.aliases == [large.name] && small.name == "\(large.name) Small")
            #expect((small.language, small.gender, small.accent) == (large.language, large.gender, large.accent))
            // If neither voice is installed, these names select the Kokoro voice.
            for name in [large.name, large.title, large.id, large.key] {
                #expect(try VoiceDirectory.find(name, among: voices).key == large.key)
            }
            for name in [small.name, small.title, small.id, small.key] {
                #expect(try VoiceDirectory.find(name, among: voices).key == small.key)
            }
        }
    }

    @Test("Every voice has a cost, and a single probe is used to measure the machine's speed")
    func costs() throws {
        let registry = try Self.registry()
        #expect(registry.voices.allSatisfy { (1...100).contains($0.cost ?? 0) })
        let heart = try #require(registry.voice(id: "af_heart"))
        let medium = try #require(registry.voice(id: "en_US-kristin-medium"))
        #expect(try (8...9).contains(#require(heart.cost) / #require(medium.cost)))
        #expect(registry.models.filter { $0.probe != nil }.map(\.id) == ["kokoro-82m"])
        let probe = try #require(heart.model?.probe)
        #expect(probe.files.map(\.role) == ["model", "style"])
        #expect(probe.files.allSatisfy { (1000...4000).contains($0.content.count) })
        // Convolutions from 128 to 128 channels over 6000 frames with 3, 7 and 11 taps.
        #expect(abs(probe.cost - 128 * 128 * 21 * 6000 / 1e9) < 0.001)
    }

    @Test("All Kokoro voices have a gender, and their model is available in three precisions, with fp32 first")
    func kokoro() throws {
        let registry = try Self.registry()
        let voices = registry.voices.filter { $0.engine == "kokoro" }
        #expect(voices.count == 54)
        #expect(voices.allSatisfy { $0.gender != nil && $0.model?.precision == "fp32" })
        let heart = try #require(registry.voice(id: "af_heart"))
        #expect(heart.grade == "A" && heart.language == "en-US" && heart.accent == "American")
        let precisions = ["fp32", "fp16", "int8"].map { registry.model(of: heart, precision: $0)?.files[0].size }
        #expect(precisions[0] != nil && precisions[1] != nil && precisions[2] != nil)
        #expect(Set(precisions).count == 3)
        #expect(registry.model(of: heart, precision: "fp64") == nil)
        // The style files are the same for all precisions.
        for precision in ["fp16", "int8"] {
            let model = try #require(registry.model(of: heart, precision: precision))
            #expect(heart.using(model).roles == heart.roles)
        }
    }

    @Test("The small voices cover both accents, and one of them has several URLs")
    func hibari() throws {
        let registry = try Self.registry()
        let voices = registry.voices.filter { $0.engine == "hibari" }
        #expect(
            Set(voices.map(\.name)) == ["Heart Small", "Kore Small", "Fenrir Small", "Emma Small", "Fable Small"])
        #expect(voices.allSatisfy { $0.license == "Apache-2.0" && $0.gender != nil && $0.model == nil })
        let heart = try #require(registry.voice(id: "af_heart-small"))
        #expect(heart.files.map(\.mirrors.count) == [1])
        #expect(heart.alternative.map(\.name) == ["hibari_tts-0.2.1-py3-none-any.whl"])
    }

    @Test("Piper voices name their speakers")
    func piper() throws {
        let registry = try Self.registry()
        let voices = registry.voices.filter { $0.engine == "piper" }
        #expect(voices.count > 160)
        #expect(registry.voice(id: "en_GB-semaine-medium")?.speakers == ["prudence", "spike", "obadiah", "poppy"])
        #expect(registry.voice(id: "en_US-libritts-high")?.speakers.count == 904)
        #expect(
            registry.voice(id: "en_US-lessac-medium")?.cardURL?.hasSuffix("/en/en_US/lessac/medium/MODEL_CARD") == true)
        #expect(registry.voice(id: "pt_PT-tugao-medium")?.files[0].url.contains("tug%C3%A3o") == true)
    }

    @Test("Each voice and each model is on a separate line")
    func layout() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("{\"id\":") }
        let registry = try Self.registry()
        #expect(lines.count == registry.voices.count + registry.models.count + registry.recognizerModelEntries.count)
    }

    @Test("Every recognition model lists the languages that it transcribes")
    func understood() throws {
        let models = try Self.registry().recognizerModelEntries
        // Voice activity detectors list no languages.
        #expect(!models.isEmpty && models.allSatisfy { $0.languages.isEmpty == ($0.recognizer == "silero") })
        let base = try #require(models.first { $0.id == "whisper-base" })
        #expect(base.languages.count == 99 && Set(base.languages).count == 99 && base.languages.first == "en")
        #expect(["de-AT", "nb", "fil", "cmn", "jw"].allSatisfy(base.understands) && !base.understands("tlh"))
        let large = try #require(models.first { $0.id == "whisper-large-v3-turbo-int8" })
        #expect(large.languages == base.languages + ["yue"])
        let parakeet = models.filter { $0.recognizer == "parakeet" }
        #expect(parakeet.map(\.languages.count) == [25, 1, 1])
        #expect(parakeet.allSatisfy { $0.license == "CC-BY-4.0" && $0.note?.contains("NVIDIA") == true })
        #expect(parakeet.map(\.downloadSize) == [670_480_039, 661_191_684, 136_490_421])
    }
}
