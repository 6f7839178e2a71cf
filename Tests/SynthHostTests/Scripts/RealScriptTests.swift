import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Scripts spoken by real engines", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct RealScriptTests {
    private struct Sound {
        var samples: [Float] = []
        var sampleRate = 0
        var marks: [String: Int] = [:]
        var words: [Int] = []
    }

    private func speak(_ ssml: String, by speaker: RealSpeaker) async throws -> Sound {
        let session = try speaker.session(in: try UserHome(programs: BuildFolder.path))
        var sound = Sound()
        // Without variation, the audio is the same on every run.
        for try await part in session.speak(ssml: "<speak>\(ssml)</speak>", SpeechOptions(variation: 0)) {
            switch part {
            case .format(let format): sound.sampleRate = format.sampleRate
            case .audio(let audio): sound.samples += audio.samples
            case .mark(let event, let name): sound.marks[name] = event.frame
            case .word(let event): sound.words.append(event.frame)
            default: break
            }
        }
        return sound
    }

    @Test(
        "A break is a silence of exactly the requested duration, accurate to the sample",
        arguments: RealSpeaker.allCases)
    func breaks(speaker: RealSpeaker) async throws {
        let sound = try await speak("The kettle is on.<break time='700ms'/>The cups are out.", by: speaker)
        var longest = 0
        var run = 0
        for sample in sound.samples {
            run = abs(sample) <= 0.001 ? run + 1 : 0
            longest = max(longest, run)
        }
        #expect(abs(longest - sound.sampleRate * 7 / 10) <= 1)
    }

    @Test("A mark is reported when the next word begins", arguments: RealSpeaker.allCases)
    func marks(speaker: RealSpeaker) async throws {
        let sound = try await speak(
            "<mark name='a'/>One two <mark name='b'/>three.<break time='1s'/><mark name='c'/>Four.", by: speaker)
        try #require(sound.words.count == 4)
        #expect(sound.marks == ["a": 0, "b": sound.words[2], "c": sound.words[3]])
    }

    private static let text = "The kettle is on the stove, and the cups are on the table by the window."

    /// The text's own audio, without the silence that the engine adds around it.
    private func inner(_ ssml: String, by speaker: RealSpeaker) async throws -> [Float] {
        let silence = "<break time='100ms'/>"
        let sound = try await speak("\(silence)\(ssml)\(silence)", by: speaker)
        let edge = sound.sampleRate / 10
        try #require(sound.samples.count > 2 * edge)
        return Array(sound.samples[edge..<sound.samples.count - edge])
    }

    @Test(
        "The duration is divided by the rate, and the pitch does not change", arguments: RealSpeaker.allCases,
        [50, 200])
    func prosody(speaker: RealSpeaker, percent: Int) async throws {
        let plain = try await inner(Self.text, by: speaker)
        let changed = try await inner("<prosody rate='\(percent)%'>\(Self.text)</prosody>", by: speaker)
        let factor = Double(plain.count) / Double(changed.count) * 100 / Double(percent)
        #expect(abs(factor - 1) < 0.03, "\(factor)")
        let periods = try #require(Pitch.periods(of: changed, to: plain))
        #expect(abs(periods - 1) < 0.02, "\(periods)")
    }

    @Test("A sentence that is spoken in parts continues without an additional pause", arguments: RealSpeaker.allCases)
    func joints(speaker: RealSpeaker) async throws {
        // Samples up to 0.003 count as a pause, because they are inaudible next to speech.
        func longestPause(_ ssml: String) async throws -> Double {
            let sound = try await inner(ssml, by: speaker)
            var longest = 0
            var run = 0
            for sample in sound {
                run = abs(sample) <= 0.003 ? run + 1 : 0
                longest = max(longest, run)
            }
            return Double(longest) / Double(sampleRate(of: speaker))
        }
        let parts = try await longestPause("We saw <prosody rate='101%'>a lion</prosody> on the way")
        #expect(parts < 0.1, "\(parts)")
        let clauses = try await longestPause("We saw <prosody rate='101%'>a lion,</prosody> on the way")
        #expect(clauses < 0.25, "\(clauses)")
    }

    private func sampleRate(of speaker: RealSpeaker) -> Int {
        switch speaker {
        case .espeak: 22_050
        case .piper: 16_000
        case .kokoro: 24_000
        }
    }
}
