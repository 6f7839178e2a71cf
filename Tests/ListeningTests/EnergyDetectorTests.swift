import Foundation
import SynthListening
import Testing
import TestNumbers
import TestSupport

@Suite("Speech detection by loudness")
struct EnergyDetectorTests {
    private func events(_ samples: [Float], piece: Int = 1600) -> [EnergyDetector.Event] {
        var detector = EnergyDetector(rate: GeneratedAudio.rate)
        var events: [EnergyDetector.Event] = []
        for start in stride(from: 0, to: samples.count, by: piece) {
            events += detector.add(samples[start..<min(start + piece, samples.count)])
        }
        return events + [detector.finish()].compactMap(\.self)
    }

    @Test("The start and end of speech are found within 100 ms, both in silence and in quiet noise", arguments: 0..<50)
    func places(seed: UInt64) {
        for noise: Float in [0, 0.003] {
            let sound = GeneratedAudio.sentences(seed, noise: noise)
            let events = events(sound.samples)
            #expect(events.count == sound.speech.count * 2, "seed \(seed): \(events), \(sound.speech)")
            for (index, speech) in sound.speech.enumerated() where events.count > index * 2 + 1 {
                guard case .begins(let begin) = events[index * 2], case .ends(let end) = events[index * 2 + 1] else {
                    Issue.record("\(events)")
                    continue
                }
                #expect(abs(begin - speech.lowerBound) <= 1600 && abs(end - speech.upperBound) <= 1600)
            }
        }
    }

    /// Seeds for the scenes.
    private static let scenes = 0..<UInt64(LongForm.isAsked ? 100 : 40)

    @Test(
        "Speech among silence, noise and tones is found within 100 ms, and nothing else is reported as speech",
        arguments: scenes)
    func scene(seed: UInt64) {
        let sound = GeneratedAudio.scene(seed)
        let events = events(sound.samples)
        #expect(events.count == sound.speech.count * 2, "seed \(seed): \(events), \(sound.speech)")
        for (index, speech) in sound.speech.enumerated() where events.count > index * 2 + 1 {
            guard case .begins(let begin) = events[index * 2], case .ends(let end) = events[index * 2 + 1] else {
                Issue.record("\(events)")
                continue
            }
            #expect(abs(begin - speech.lowerBound) <= 1600 && abs(end - speech.upperBound) <= 1600, "seed \(seed)")
        }
    }

    @Test("The result does not depend on the chunk size", arguments: [1, 7, 100_000])
    func pieces(piece: Int) {
        let sound = GeneratedAudio.sentences(3, noise: 0.003).samples.prefix(60_000)
        #expect(events(Array(sound), piece: piece) == events(Array(sound)))
    }

    @Test("Silence, noise, clicks and inaudible audio contain no speech")
    func nothing() {
        var noise = GeneratedAudio(1)
        noise.rest(5)
        noise.addNoise(0.2)
        var clicks = [Float](repeating: 0, count: 80_000)
        for place in stride(from: 1000, to: clicks.count, by: 9000) { clicks[place] = 1 }
        var quiet = GeneratedAudio(2)
        quiet.rest(0.5)
        quiet.speak(2, loudness: 0.001)
        for samples in [[], [Float](repeating: 0, count: 80_000), noise.samples, clicks, quiet.samples] {
            #expect(events(samples) == [])
        }
    }

    @Test("Speech ends when the audio ends")
    func end() {
        var sound = GeneratedAudio(1)
        sound.rest(0.5)
        sound.speak(1)
        #expect(events(sound.samples).last == .ends(24_000))
    }
}
