import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import Testing

@testable import SynthHost
@testable import SynthScript
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Pauses between sentences")
struct AudiblePauseTests {
    /// Speaks each text as one second of audio between silences, like an engine that adds its own silence.
    private final class QuietLane: SpeakingLane {
        let before: Int
        let after: Int
        let noise: Float

        init(before: Int, after: Int, noise: Float) { (self.before, self.after, self.noise) = (before, after, noise) }

        func speak(
            _ request: LaneRequest, unless wasCancelled: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
            _ part: (SpeechPart) -> Bool
        ) throws(EngineFailure) -> Bool {
            _ = part(.begin(sampleRate: 1000, channels: 1))
            if request.wants.contains(.word) {
                _ = part(.event(SpeechEvent(kind: .word, frame: UInt64(before), frameCount: 0, text: 0..<3)))
            }
            let sound =
                [Float](repeating: noise, count: before) + [Float](repeating: 0.5, count: 1000)
                + [Float](repeating: -noise, count: after)
            // Small chunks are sent, as by real engines.
            for start in stride(from: 0, to: sound.count, by: 70) {
                _ = part(.audio(Array(sound[start..<min(start + 70, sound.count)])))
            }
            return true
        }

        var isAlive: Bool { true }
        func cancel() {}
    }

    /// The lengths of the silences between segments of audio, and the frames of the words.
    private func heard(
        _ text: String, _ lane: QuietLane, rate: Double = 1, volume: Float = 1
    ) throws -> (pauses: [Int], words: [Int]) {
        try heard(try CompleteText(text), lane, rate: rate, volume: volume)
    }

    private func heard(
        _ text: any TextSource, _ lane: QuietLane, rate: Double = 1, volume: Float = 1
    ) throws -> (pauses: [Int], words: [Int]) {
        let sound = SoundQueue(lookAhead: .seconds(3600))
        var settings = SpeechSettings(rate: rate, volume: Gain(factor: volume))
        settings.wants = .word
        let synthesis = Synthesis(
            lane: lane,
            engine: EngineDescription(
                id: "fake", name: "Fake", version: "1", license: "Apache-2.0", rate: 0.5...4),
            voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
            settings: settings, source: text, sound: sound)
        var position = SoundPosition()
        try synthesis.run(from: &position)
        sound.close()
        var samples: [Float] = []
        var words: [Int] = []
        while let piece = try sound.pop(timeout: { .zero }, onUnderrun: { _ in }) {
            for event in piece.events { #expect(event.frame >= samples.count) }
            words += piece.events.map(\.frame)
            samples += piece.samples
        }
        let loud = samples.indices.filter { abs(samples[$0]) > 0.1 * volume }
        let pauses = zip(loud, loud.dropFirst()).map { $1 - $0 - 1 }.filter { $0 > 1 }
        // Each word's frame is where its audio starts.
        let isJoined = pauses.isEmpty
        for word in words {
            #expect(abs(samples[word]) > 0.1 * volume)
            #expect(word == 0 || isJoined || abs(samples[word - 1]) < 0.1)
        }
        return (pauses, words)
    }

    @Test(
        "Pauses have the same length, regardless of the silence that an engine adds at either end",
        arguments: [(0, 0), (0, 5), (60, 0), (20, 100), (100, 150), (250, 0), (0, 250)])
    func same(before: Int, after: Int) throws {
        let found = try heard("One. Two. Three.", QuietLane(before: before, after: after, noise: 0.001))
        #expect(found.pauses == [250, 250])
        #expect(found.words.count == 3)
    }

    @Test("An engine's own silence is kept if it is longer than the pause")
    func long() throws {
        #expect(try heard("One. Two.", QuietLane(before: 100, after: 300, noise: 0)).pauses == [400])
    }

    @Test("Pauses are longer between paragraphs and shorter at higher rates")
    func kinds() throws {
        #expect(try heard("One.\n\nTwo. Three.", QuietLane(before: 50, after: 50, noise: 0)).pauses == [600, 250])
        #expect(try heard("One. Two.", QuietLane(before: 10, after: 10, noise: 0), rate: 2).pauses == [125])
    }

    @Test("Pauses are longer after a heading and follow the user's settings")
    func headings() throws {
        let text = "# One\n\nTwo. Three.\n\nFour."
        let script = try ScriptSource(try SpokenScript(Array(text.utf8), as: .markdown))
        #expect(try heard(script, QuietLane(before: 20, after: 20, noise: 0)).pauses == [800, 250, 600])
        var pauses = SpeechPauses()
        (pauses.sentence, pauses.paragraph) = (.milliseconds(100), .seconds(1))
        let own = pauses.atRate(1)
        #expect(own == pauses && own.after(.heading) == .milliseconds(800) && own.after(.none) == .zero)
        #expect(pauses.atRate(2).paragraph == .milliseconds(500) && pauses.atRate(0.5).sentence == .milliseconds(200))
    }

    @Test("Pauses do not depend on the volume", arguments: [0.1, 0.5, 2] as [Float])
    func volumes(volume: Float) throws {
        let found = try heard("One. Two.", QuietLane(before: 30, after: 40, noise: 0.002), volume: volume)
        #expect(found.pauses == [250])
    }

    @Test(
        "Pauses within a sentence are short but longer after a clause, regardless of the silence that an engine adds",
        arguments: [(0, 0, [0, 0]), (20, 10, [30, 30]), (200, 300, [60, 180]), (0, 100, [30, 100])])
    func joints(before: Int, after: Int, pauses: [Int]) throws {
        let script = SpokenScript(
            document: Array("One two, three".utf8),
            parts: [("One", 0, 1.0), (" two,", 3, 1.1), (" three", 8, 1.0)].map { text, start, volume in
                let source = SourceMap(segments: [
                    .init(text: 0..<text.utf8.count, source: start..<start + text.utf8.count)
                ])
                return .text(ScriptText(text, source: source, style: ScriptStyle(volume: volume)))
            })
        let found = try heard(try ScriptSource(script), QuietLane(before: before, after: after, noise: 0.001))
        #expect(found.pauses == pauses.filter { $0 > 0 })
        #expect(found.words.count == 3)
    }
}
