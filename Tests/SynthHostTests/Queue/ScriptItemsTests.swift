import SynthAudio
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthScript
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Scripts as queue items")
struct ScriptItemsTests {
    private static func text(_ text: String) -> ScriptPart {
        .text(ScriptText(text, source: SourceMap(segments: [])))
    }

    private static func silence(_ milliseconds: Int) -> ScriptPart {
        .silence(.milliseconds(milliseconds), source: 0..<0)
    }

    private static func clip(
        _ name: String, gain: Double = 0, channel: String? = nil, else alternative: [ScriptPart] = []
    ) -> ScriptPart {
        .clip(ScriptClip(name: name, gain: gain, channel: channel, alternative: alternative, source: 0..<0))
    }

    /// Each item as text.
    private func items(_ parts: [ScriptPart], gain: SoundLevel = .unchanged) throws(SpeechError) -> [String] {
        var configuration = Configuration()
        configuration.clips = ["chime": "/chime.wav"]
        let clips = ClipLibrary(configuration, from: ConfigurationFile(path: "/config.json"))
        let items = ScriptItems(clips: clips, gain: gain) { parts in
            let texts = parts.compactMap { if case .text(let text) = $0 { text.text } else { nil } }
            return .speech(texts.joined(separator: "|"))
        }
        return try items.items(of: parts).map { Self.words($0) }
    }

    private static func words(_ item: SpeechQueue.Item) -> String {
        switch item.content {
        case .text(let text, _, _): text
        case .pause(let duration): "\(duration)"
        case .file(let name, let file, let gain): "\(name) \(file.path) \(gain.decibels.value)"
        case .cue(let item, let channel): "\(channel.name): \(words(item))"
        default: "?"
        }
    }

    @Test("A script is split only at its clips")
    func cut() throws {
        let parts = [
            Self.text("One."), Self.silence(100), .end(.paragraph), Self.text("Two."), Self.clip("chime"),
            Self.silence(200),
            .mark("m", source: 0..<0), Self.clip("chime"), .end(.sentence), Self.text("Three."),
        ]
        let chime = "chime /chime.wav 0.0"
        #expect(try items(parts) == ["One.|Two.", chime, "\(Duration.milliseconds(200))", chime, "Three."])
        #expect(try items([]) == [])
        #expect(try items([.end(.sentence)]) == [])
    }

    @Test("Clips keep their names, gains and channels")
    func clips() throws {
        #expect(
            try items([Self.text("a"), Self.text("b"), Self.clip("chime", gain: -6), Self.silence(500)])
                == ["a|b", "chime /chime.wav -6.0", "\(Duration.milliseconds(500))"])
        #expect(
            try items([Self.clip("chime", gain: 3, channel: "bed"), Self.text("a")], gain: .decibels(-12))
                == ["bed: chime /chime.wav -9.0", "a"])
    }

    @Test("A missing clip is replaced by its alternative or, if there is none, causes an error")
    func alternative() throws {
        #expect(
            try items([Self.clip("none", else: [Self.text("a"), Self.clip("chime")])]) == ["a", "chime /chime.wav 0.0"])
        #expect {
            try items([Self.text("a"), Self.clip("chim")])
        } throws: { error in
            error as? SpeechError == .clipUnknown("chim", near: ["chime"])
        }
    }

    @Test("A script has at most as many channels as can play concurrently")
    func channels() throws {
        let few = (0..<100).map { Self.clip("chime", channel: "\($0 % 16)") }
        #expect(try items(few).count == 100)
        #expect {
            try items((0..<17).map { Self.clip("chime", channel: "\($0)") })
        } throws: { error in
            error as? SpeechError == .tooManyClipChannels("chime", limit: 16)
        }
    }
}
