import CSynthEngine
import Foundation
import Testing
import TestSupport

/// The engine's library with a small test voice.
struct SmallVoiceUnderTest: VoiceUnderTest {
    let folder: TemporaryFolder
    let files: [String: String]

    init(_ small: SmallVoice = SmallVoice()) throws {
        folder = try TemporaryFolder()
        files = [
            "model": try folder.write(small.bytes, to: "voice.onnx")
        ]
    }

    func load(cacheDirectory: String? = nil) throws -> LoadedModel {
        try LoadedEngine(product: "Hibari").load("small", files: files, cacheDirectory: cacheDirectory)
    }

    func request(_ text: String) -> TestRequest { TestRequest(text, voice: "af_small") }
}

@Suite("The Hibari engine") struct EngineTests {
    @Test("The engine describes itself and links no GPL libraries")
    func description() throws {
        let engine = try LoadedEngine(product: "Hibari")
        #expect(String(cString: engine.description.id) == "hibari")
        #expect(String(cString: engine.description.license) == "Apache-2.0")
        #expect(engine.roles.map { String(cString: $0.name) } == ["model"])
        #expect(engine.description.rate_min == 0.5 && engine.description.rate_max == 1.25)
        #expect(engine.description.pitch_min == 0.5 && engine.description.pitch_max == 2)
        let library = try Data(contentsOf: URL(filePath: BuildFolder.path + "/libHibari.so"))
        for name in ["libespeak-ng", "libonnxruntime"] { #expect(library.range(of: Data(name.utf8)) == nil, "\(name)") }
    }

    @Test("Words and phonemes are reported with their positions, and the audio is the same on every run")
    func speaks() throws {
        let voice = try SmallVoiceUnderTest()
        let recording = try voice.speak("Hello, world. Again!")
        #expect(recording.status == SYNTH_OK && recording.violations.isEmpty, "\(recording.violations)")
        #expect(recording.sampleRate == 24_000 && recording.channels == 1)
        #expect(recording.words == ["Hello", "world", "Again"])
        #expect(recording.samples.contains { $0 != 0 })
        #expect(try voice.speak("Hello, world. Again!").samples == recording.samples)
        let spelled = try voice.speak("x")
        #expect(spelled.words == ["x"] && spelled.violations.isEmpty)
    }

    @Test("The audio varies between requests only if the requested variation is higher than the voice's own")
    func variation() throws {
        let voice = try SmallVoiceUnderTest()
        let own = try voice.speak("Hello, world.")
        for less in [-1, -0.5] as [Float] {
            #expect(try voice.speak("Hello, world.") { $0.variation = less }.samples == own.samples)
        }
        let readings = try (0..<2).map { _ in try voice.speak("Hello, world.") { $0.variation = 1 } }
        #expect(readings[0].samples != readings[1].samples && readings[0].samples != own.samples)
        for reading in readings { #expect(reading.violations.isEmpty && reading.words == own.words) }
    }

    @Test("Phonemes are accepted both alone and within text")
    func phonemes() throws {
        let voice = try SmallVoiceUnderTest()
        let written = try voice.speak("həlˈO, wˈɜɹld.") { $0.kind = SYNTH_PHONEMES.rawValue }
        #expect(written.violations.isEmpty && written.words == ["həlˈO,", "wˈɜɹld."])
        #expect(try voice.speak("Hello, world.").samples == written.samples)
        let mixed = try voice.speak("Hello, [[wˈɜɹld]].") { $0.kind = SYNTH_TEXT_AND_PHONEMES.rawValue }
        #expect(mixed.samples == written.samples && mixed.words == ["Hello", "[[wˈɜɹld]]"])
    }

    @Test("If only events are requested, words and phonemes are reported without audio")
    func eventsOnly() throws {
        let voice = try SmallVoiceUnderTest()
        let heard = try voice.speak("Hello, world. Again!")
        let told = try voice.speak("Hello, world. Again!") { $0.flags = SYNTH_EVENTS_ONLY.rawValue }
        #expect(told.status == SYNTH_OK && told.violations.isEmpty, "\(told.violations)")
        #expect(told.samples.isEmpty && told.words == heard.words && !told.words.isEmpty)
        let labels = told.events.compactMap(\.label)
        #expect(labels == heard.events.compactMap(\.label) && labels.contains("ˈoʊ"), "\(labels)")
    }

    @Test("All words of a long text are reported")
    func pieces() throws {
        let text = Array(repeating: "hello world", count: 20).joined(separator: ", ") + "."
        let recording = try SmallVoiceUnderTest().speak(text)
        #expect(recording.violations.isEmpty)
        #expect(recording.words.count == 40)
    }

    @Test("A text without words produces no audio, and other languages are rejected")
    func nothing() throws {
        let voice = try SmallVoiceUnderTest()
        for text in ["", " ", "...", "“”"] {
            let recording = try voice.speak(text)
            #expect(recording.status == SYNTH_OK && recording.samples.isEmpty && recording.violations.isEmpty)
        }
        let german = try voice.speak("hello") { $0.language = "de" }
        #expect(german.status == SYNTH_BAD_REQUEST && german.outcome.message.contains("English"))
    }

    @Test(
        "Unusual text causes no error and no violation of the engine API",
        arguments: [
            "👍🏽👨‍👩‍👧‍👦🇩🇪", "e\u{301}\u{327}\u{200D}", "日本語のテキスト。", "[[ x ]]", "<a>b</a>", "1) two (3", "\"\"\"",
            String(repeating: "hello ", count: 2000), String(repeating: "x", count: 3000),
        ])
    func oddities(text: String) throws {
        let recording = try SmallVoiceUnderTest().speak(text)
        #expect(recording.status == SYNTH_OK, "\(recording.outcome)")
        #expect(recording.violations.isEmpty, "\(recording.violations)")
    }

    @Test("The error for a missing or damaged model includes its role")
    func files() throws {
        let engine = try LoadedEngine(product: "Hibari")
        #expect(throws: (any Error).self) { try engine.load("small", files: [:]) }
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("no graph".utf8), to: "voice.onnx")
        #expect(throws: (any Error).self) { try engine.load("small", files: ["model": path]) }
    }
}
