import Foundation
import SynthAudio
import SynthEngineWire
import SynthScript
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthEngineProcesses
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

/// Real engines report words at the time at which they are played, after all audio processing.
@Suite("Word timing", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct WordTimeTests {
    /// Words with a loud first phoneme, each after a pause. Stops and fricatives would be silent or quiet at first.
    private static let words = [
        "apple", "orange", "nine", "moon", "other", "river", "almond", "morning", "only", "window", "end", "ladder",
        "island", "music", "office", "number", "evening", "yellow", "army", "wonder", "eagle", "lemon", "open",
        "nobody",
        "animal", "market", "oven", "rabbit", "honest", "engine", "outer", "water", "idea", "needle", "amber", "left",
        "early", "million", "earth", "raven",
    ]
    private static let text = words.map { $0 + "; " }.joined() + "amen."

    private struct Outcome {
        var samples: [Float] = []
        var words: [Int] = []
    }

    private func speak(_ speaker: RealSpeaker, rate: Double, _ format: AudioFormat?) throws -> (Outcome, Int) {
        let engine = try speaker.engine(in: try UserHome(programs: BuildFolder.path))
        let voice = speaker.voice
        let sound = SoundQueue(lookAhead: .seconds(3600))
        if let format { _ = sound.begin(format) }
        var settings = SpeechSettings(rate: rate)
        settings.variation = 0
        settings.wants = .word
        let synthesis = Synthesis(
            lane: try engine.openLane(on: voice.load, handing: voice.files), engine: engine.description, voice: voice,
            settings: settings,
            source: try CompleteText(Self.text), sound: sound)
        var position = SoundPosition()
        try synthesis.run(from: &position)
        sound.close()
        var outcome = Outcome()
        while let piece = try sound.pop(timeout: { .zero }, onUnderrun: { _ in }) {
            let channels = sound.format?.channels ?? 1
            outcome.samples += Signals.firstChannel(piece.samples, of: channels)
            outcome.words += piece.events.map(\.frame)
        }
        return (outcome, try #require(sound.format?.sampleRate))
    }

    /// The frames at which audio starts after silence. Faster speech has shorter silences.
    private func onsets(_ samples: [Float], sampleRate: Int, rate: Double) -> [Int] {
        let pause = rate > 1 ? 4 : 8
        let step = sampleRate / 200
        let levels = Signals.levels(of: samples, each: step)
        let loud = levels.sorted()[levels.count * 9 / 10]
        var onsets: [Int] = []
        var quiet = pause
        for (index, level) in levels.enumerated() {
            if level < loud * 0.1 {
                quiet += 1
            } else {
                if quiet >= pause { onsets.append(index * step) }
                quiet = 0
            }
        }
        return onsets
    }

    @Test(
        "Of 100 words, 95 are reported within 50 ms of their audio, and all of them within 80 ms",
        arguments: RealSpeaker.allCases,
        [(0.5, true), (1, false), (1, true), (2, true)])
    func moment(speaker: RealSpeaker, _ way: (rate: Double, isConverted: Bool)) throws {
        let format = way.isConverted ? AudioFormat(sampleRate: 44_100, channels: 2) : nil
        let (outcome, sampleRate) = try speak(speaker, rate: way.rate, format)
        let onsets = onsets(outcome.samples, sampleRate: sampleRate, rate: way.rate)
        let milliseconds = outcome.words.map { word in
            let nearest = onsets.map { abs($0 - word) }.min() ?? Int.max / 1000
            return nearest * 1000 / sampleRate
        }
        #expect(milliseconds.count == Self.words.count + 1)
        #expect(milliseconds.count { $0 <= 50 } * 100 >= milliseconds.count * 95, "\(milliseconds)")
        #expect(milliseconds.allSatisfy { $0 <= 80 }, "\(milliseconds)")
    }

    @Test(
        "The time of a word is its time at rate 1 divided by the rate, to within 50 ms",
        arguments: RealSpeaker.allCases)
    func rates(speaker: RealSpeaker) throws {
        let (usual, sampleRate) = try speak(speaker, rate: 1, nil)
        for rate in [2.0, 3, 4] {
            let (other, _) = try speak(speaker, rate: rate, nil)
            try #require(other.words.count == usual.words.count)
            let worst = zip(other.words, usual.words).map { abs(Double($0) - Double($1) / rate) }.max() ?? 0
            #expect(worst / Double(sampleRate) < 0.05, "\(rate): \(worst)")
            let reached = Double(usual.samples.count) / Double(other.samples.count)
            #expect(abs(reached / rate - 1) < 0.03, "\(rate): \(reached)")
        }
    }
}
