import Foundation
import TestNumbers

/// Sound with stretches of which is known whether somebody speaks.
struct MadeSound {
    static let rate = 16_000
    private(set) var samples: [Float] = []
    private(set) var speech: [Range<Int>] = []
    private var random: SeededRandom

    init(_ seed: UInt64) { random = SeededRandom(seed) }

    /// Something like speech: a buzz of a changing pitch, as loud and quiet as syllables.
    mutating func speak(_ seconds: Double, loudness: Float = 0.3) {
        let count = Int(seconds * Double(Self.rate))
        speech.append(samples.count..<samples.count + count)
        var phase: Float = 0
        for index in 0..<count {
            let time = Float(index) / Float(Self.rate)
            phase += (120 + 30 * sin(time * 5)) / Float(Self.rate)
            let syllable = 0.55 + 0.45 * sin(time * 25)
            samples.append((phase - phase.rounded()) * 2 * loudness * syllable)
        }
    }

    mutating func rest(_ seconds: Double) {
        samples += [Float](repeating: 0, count: Int(seconds * Double(Self.rate)))
    }

    /// White noise over all.
    mutating func addNoise(_ level: Float) {
        for index in samples.indices { samples[index] += Float.random(in: -level...level, using: &random) }
    }

    /// Some stretches of speech with silence around them, other ones for each seed.
    static func sentences(_ seed: UInt64, noise: Float) -> MadeSound {
        var sound = MadeSound(seed)
        sound.rest(.random(in: 0.2...1.5, using: &sound.random))
        for _ in 0..<Int.random(in: 1...5, using: &sound.random) {
            sound.speak(
                .random(in: 0.3...3, using: &sound.random), loudness: .random(in: 0.1...0.5, using: &sound.random))
            sound.rest(.random(in: 0.5...2, using: &sound.random))
        }
        if noise > 0 { sound.addNoise(noise) }
        return sound
    }
}
