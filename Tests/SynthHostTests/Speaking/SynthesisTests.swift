import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthHostTesting
import SynthScript
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Synthesis")
struct SynthesisTests {
    private static let text = "One two. Grüße aus Köln!\n\nFive six seven."

    /// Returns all pieces of audio for the text.
    private func pieces(
        _ text: String, rate: Double = 1, output: AudioFormat? = nil, wants: EventKinds = .word
    ) throws -> [SoundQueue.Piece] {
        let sound = SoundQueue(lookAhead: .seconds(3600))
        if let output { _ = sound.begin(output) }
        var settings = SpeechSettings(rate: rate)
        settings.wants = wants
        let synthesis = Synthesis(
            lane: TestLane.make(),
            engine: EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0"),
            voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
            settings: settings, source: try CompleteText(text), sound: sound)
        var position = SoundPosition()
        try synthesis.run(from: &position)
        sound.close()
        var pieces: [SoundQueue.Piece] = []
        while let piece = try sound.pop(timeout: { .zero }, onUnderrun: { _ in }) { pieces.append(piece) }
        return pieces
    }

    /// The 16 kHz frame at which each word starts, and the word's bytes in the source.
    private static let expected: [(frame: Int, source: Range<Int>)] = {
        let perByte = 1600
        // "One two." has 8 bytes, and "Grüße aus Köln!" has 18. Pauses are 0.25 s between sentences and 0.6 s between
        // paragraphs.
        let second = 8 * perByte + 4000
        let third = second + 18 * perByte + 9600
        return [
            (0, 0..<3), (4 * perByte, 4..<8), (second, 9..<16), (second + 8 * perByte, 17..<20),
            (second + 12 * perByte, 21..<27), (third, 29..<33), (third + 5 * perByte, 34..<37),
            (third + 9 * perByte, 38..<44),
        ]
    }()

    @Test("Each word is mapped to a frame in the audio and a range in the source")
    func words() throws {
        let events = try pieces(Self.text).flatMap(\.events)
        #expect(events.map(\.frame) == Self.expected.map(\.frame))
        #expect(events.map(\.source) == Self.expected.map(\.source))
        #expect(events.allSatisfy { $0.kind == .word })
    }

    @Test(
        "Reported word times stay within 50 ms of the audio, even after tempo and sample rate conversion",
        arguments: [0.5, 1, 1.7, 2], [nil, AudioFormat(sampleRate: 44_100, channels: 2)])
    func converted(rate: Double, output: AudioFormat?) throws {
        let pieces = try pieces(Self.text, rate: rate, output: output)
        let events = pieces.flatMap(\.events)
        try #require(events.count == Self.expected.count)
        let sampleRate = Double(output?.sampleRate ?? TestLane.sampleRate)
        for (event, expected) in zip(events, Self.expected) {
            // The duration includes pauses.
            let seconds = Double(expected.frame) / Double(TestLane.sampleRate) / rate
            #expect(abs(Double(event.frame) / sampleRate - seconds) < 0.05, "\(event)")
            #expect(event.source == expected.source)
        }
    }

    @Test("The periods of abbreviations are not sent to the engine, and the words keep their positions")
    func abbreviations() throws {
        let text = "Dr. Grey left—alone. He saw Mrs. Blue."
        let events = try pieces(text).flatMap(\.events)
        let bytes = Array(text.utf8)
        #expect(
            events.map { String(decoding: bytes[$0.source], as: UTF8.self) } == [
                "Dr", "Grey", "left", "—", "alone.", "He", "saw", "Mrs", "Blue.",
            ])
    }

    @Test("Each event arrives with the piece that contains its frame", arguments: [0.5, 1, 2])
    func inside(rate: Double) throws {
        var start = 0
        for piece in try pieces(Self.text, rate: rate) {
            for event in piece.events { #expect((start..<start + max(1, piece.samples.count)).contains(event.frame)) }
            start += piece.samples.count
        }
    }

    /// Performs an action just before delivering its first utterance.
    private final class Prelude: TextSource {
        private let action = Monitor<(@Sendable () -> Void)?>(nil)
        private let text: CompleteText
        init(_ text: String) throws { self.text = try CompleteText(text) }
        func set(_ action: @escaping @Sendable () -> Void) { self.action.update { $0 = action } }
        var byteCount: Int? { nil }
        var file: RegularFile? { nil }
        func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {}
        func stop() {}
        func next() throws(SpeechError) -> ScriptStep? {
            action.read { $0 }?()
            return try text.next()
        }
    }

    @Test("A stop request takes effect even after the text has been read but before the engine is called")
    func stopBetween() throws {
        let lane = TestLane.make()
        let source = try Prelude("One. Two.")
        let sound = SoundQueue(lookAhead: .seconds(10))
        let synthesis = Synthesis(
            lane: lane,
            engine: EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0"),
            voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
            settings: SpeechSettings(), source: source, sound: sound)
        source.set { synthesis.stop() }
        var position = SoundPosition()
        try synthesis.run(from: &position)
        #expect(lane.requests.isEmpty)
    }

    /// Reports each word at a frame beyond the end of the audio.
    private final class WildLane: SpeakingLane {
        var isAlive: Bool { true }
        func cancel() {}
        func speak(
            _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
            _ part: (SpeechPart) -> Bool
        ) throws(EngineFailure) -> Bool {
            part(.begin(sampleRate: 8000, channels: 1))
                && part(.event(SpeechEvent(kind: .word, frame: .max, frameCount: .max, text: 0..<1)))
                && part(.audio([Float](repeating: 0.5, count: 800)))
        }
    }

    @Test("An event at an impossible frame is moved to the end of the audio", arguments: [0.5, 1, 4])
    func impossibleFrame(rate: Double) throws {
        let sound = SoundQueue(lookAhead: .seconds(3600))
        _ = sound.begin(AudioFormat(sampleRate: 44_100, channels: 1))
        var settings = SpeechSettings(rate: rate)
        settings.wants = .word
        let synthesis = Synthesis(
            lane: WildLane(),
            engine: EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0"),
            voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
            settings: settings, source: try CompleteText("One. Two."), sound: sound)
        var position = SoundPosition()
        try synthesis.run(from: &position)
        sound.close()
        var (frames, events) = (0, [Int]())
        while let piece = try sound.pop(timeout: { .zero }, onUnderrun: { _ in }) {
            frames += piece.samples.count
            events += piece.events.map(\.frame)
        }
        #expect(events.count == 2 && events.allSatisfy { $0 < frames })
    }

    @Test(
        "The engine is notified that its audio is awaited until the first audio is available", arguments: [true, false])
    func awaited(isAwaited: Bool) throws {
        let lane = TestLane.make()
        let synthesis = Synthesis(
            lane: lane,
            engine: EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0"),
            voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
            settings: SpeechSettings(), source: try CompleteText("One. Two. Three."),
            sound: SoundQueue(lookAhead: .seconds(3600)), isAwaited: isAwaited)
        var position = SoundPosition()
        try synthesis.run(from: &position)
        #expect(lane.requests.map(\.isAwaited) == [isAwaited, false, false])
    }

    @Test("Only the requested events are delivered")
    func unwanted() throws {
        #expect(try pieces(Self.text, wants: []).allSatisfy(\.events.isEmpty))
    }
}
