import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthScript
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Rates outside an engine's range that the host applies itself")
struct RateTests {
    /// Speaks each word as a buzz of 40 ms per letter, surrounded by silence, at the requested rate.
    private final class BuzzLane: SpeakingLane {
        static let sampleRate = 16_000

        func speak(
            _ request: LaneRequest, unless wasCancelled: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
            _ part: (SpeechPart) -> Bool
        ) throws(EngineFailure) -> Bool {
            guard part(.begin(sampleRate: Self.sampleRate, channels: 1)) else { return false }
            var frame = 0
            func send(_ milliseconds: Int, isLoud: Bool) -> Bool {
                let count = Int(Float(Self.sampleRate * milliseconds / 1000) / request.rate)
                let samples = (0..<count).map { isLoud ? 0.5 * (2 * Float($0 % 128) / 128 - 1) : 0 }
                frame += count
                // Small chunks are sent, as by real engines.
                return stride(from: 0, to: count, by: 500).allSatisfy {
                    part(.audio(Array(samples[$0..<min($0 + 500, count)])))
                }
            }
            guard send(20, isLoud: false) else { return false }
            var offset = 0
            for word in request.text.content.split(separator: " ") {
                let place = offset..<offset + word.utf8.count
                offset = place.upperBound + 1
                let event = SpeechEvent(kind: .word, frame: UInt64(frame), frameCount: 0, text: place)
                guard part(.event(event)), send(40 * word.count, isLoud: true), send(160, isLoud: false) else {
                    return false
                }
            }
            return true
        }

        var isAlive: Bool { true }
        func cancel() {}
    }

    private static let text =
        "These words have several different lengths. They follow each other in sentences.\n\nAnother paragraph comes last."

    /// - Parameter range: The rates that the engine itself supports.
    private func spoken(_ rate: Double, _ range: ClosedRange<Float>) throws -> (samples: [Float], words: [Int]) {
        let sound = SoundQueue(lookAhead: .seconds(3600))
        var settings = SpeechSettings(rate: rate)
        settings.wants = .word
        let synthesis = Synthesis(
            lane: BuzzLane(),
            engine: EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0", rate: range),
            voice: PreparedVoice(load: LoadRequest(id: "v"), uses: [VoiceUse(id: "v")], gain: Gain(factor: 1)),
            settings: settings, source: try CompleteText(Self.text), sound: sound)
        var position = SoundPosition()
        try synthesis.run(from: &position)
        sound.close()
        var (samples, words): ([Float], [Int]) = ([], [])
        while let piece = try sound.pop(timeout: { .zero }, onUnderrun: { _ in }) {
            words += piece.events.map(\.frame)
            samples += piece.samples
        }
        return (samples, words)
    }

    /// The frames at which audio starts after at least 10 ms of silence.
    private func onsets(_ samples: [Float]) -> [Int] {
        var last = -BuzzLane.sampleRate
        var onsets: [Int] = []
        for place in samples.indices where abs(samples[place]) > 0.1 {
            if place - last > BuzzLane.sampleRate / 100 { onsets.append(place) }
            last = place
        }
        return onsets
    }

    @Test(
        "The length of all audio, including pauses, is divided by the rate, and each word starts when its audio does",
        arguments: [0.5, 0.75, 1.25, 1.5, 2, 3, 4], [1...1, 0.5...2] as [ClosedRange<Float>])
    func length(rate: Double, range: ClosedRange<Float>) throws {
        let usual = try spoken(1, range)
        let other = try spoken(rate, range)
        let reached = Double(usual.samples.count) / Double(other.samples.count)
        #expect(abs(reached / rate - 1) < 0.02, "\(reached)")
        // The tolerance is 30 ms, because libsonic moves complete pitch periods.
        let tolerance = Double(BuzzLane.sampleRate) * 0.03
        let count = Self.text.split(whereSeparator: \.isWhitespace).count
        try #require(usual.words.count == count && other.words.count == count)
        for (word, before) in zip(other.words, usual.words) {
            #expect(abs(Double(word) - Double(before) / rate) < tolerance, "\(word), \(before)")
        }
        let onsets = onsets(other.samples)
        #expect(onsets.count == count)
        for (word, onset) in zip(other.words, onsets) {
            #expect(abs(Double(word - onset)) < tolerance, "\(word), \(onset)")
        }
    }

    @Test(
        "The engine's rate and the host's stretch factor are within their ranges",
        arguments: [0.25, 0.5, 1, 4], [0.1, 0.5, 1, 2, 16])
    func parts(rate: Double, part: Double) {
        let engine = EngineDescription(id: "fake", name: "Fake", version: "1", license: "Apache-2.0", rate: 0.5...2)
        let tuning = UtteranceTuning(SpeechSettings(rate: rate), ScriptStyle(rate: part), engine)
        #expect(tuning.rate == min(max(rate * part, 0.25), 4))
        #expect(tuning.engineRate == min(max(tuning.rate, 0.5), 2))
        #expect(abs(tuning.engineRate * tuning.tempo / tuning.rate - 1) < 1e-9)
        #expect(TempoStretch.tempoRange.contains(tuning.tempo))
    }

    @Test("Audio starts before the engine has spoken the complete utterance", arguments: [0.5, 2, 4])
    func streaming(rate: Double) throws {
        var chain = try UtteranceChain(
            from: AudioFormat(sampleRate: 16_000, channels: 1), to: AudioFormat(sampleRate: 16_000, channels: 1),
            tempo: rate,
            pitch: 1, gain: Gain(factor: 1))
        let samples = (0..<16_000).map { 0.5 * (2 * Float($0 % 128) / 128 - 1) }
        var given = 0
        for start in stride(from: 0, to: samples.count, by: 160) {
            if try !chain.process(Array(samples[start..<start + 160])).isEmpty { break }
            given = start + 160
        }
        // The limit is 0.1 s of the engine's audio.
        #expect(given <= 1600, "\(given)")
    }
}
