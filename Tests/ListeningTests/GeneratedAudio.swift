import Foundation
import TestNumbers

/// Generated audio with known ranges of speech.
struct GeneratedAudio {
    static let rate = 16_000
    private(set) var samples: [Float] = []
    private(set) var speech: [Range<Int>] = []
    private var random: SeededRandom

    init(_ seed: UInt64) { random = SeededRandom(seed) }

    /// Adds a speech-like signal: a buzz with changing pitch and the loudness contour of syllables.
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

    /// Adds a constant signal of several tones with soft edges.
    mutating func tone(_ seconds: Double, _ hertz: [Float], loudness: Float) {
        let count = Int(seconds * Double(Self.rate))
        let edge = Float(Self.rate / 100)
        for index in 0..<count {
            let fade = min(1, Float(min(index, count - index)) / edge)
            let sum = hertz.reduce(0 as Float) { $0 + sin(2 * .pi * $1 * Float(index) / Float(Self.rate)) }
            samples.append(sum / Float(hertz.count) * loudness * fade)
        }
    }

    /// Adds a constant hiss, or a rumble if `isDark` is true.
    mutating func hiss(_ seconds: Double, loudness: Float, isDark: Bool) {
        var last: Float = 0
        for _ in 0..<Int(seconds * Double(Self.rate)) {
            let white = Float.random(in: -1...1, using: &random)
            last = isDark ? 0.9 * last + 0.4 * white : white
            samples.append(last * loudness)
        }
    }

    /// Speech among silence, noise and tones of any loudness, each preceded by silence.
    static func scene(_ seed: UInt64) -> GeneratedAudio {
        var sound = GeneratedAudio(seed)
        for _ in 0..<Int.random(in: 3...8, using: &sound.random) {
            sound.rest(.random(in: 0.4...1.5, using: &sound.random))
            let seconds = Double.random(in: 0.3...3, using: &sound.random)
            let loudness = Float.random(in: 0.1...0.5, using: &sound.random)
            switch Int.random(in: 0..<5, using: &sound.random) {
            case 0: sound.hiss(seconds, loudness: loudness, isDark: false)
            case 1: sound.hiss(seconds, loudness: loudness, isDark: true)
            case 2: sound.tone(seconds, [.random(in: 150...3000, using: &sound.random)], loudness: loudness)
            case 3:
                let low = Float.random(in: 150...800, using: &sound.random)
                sound.tone(seconds, [low, low * 1.5, low * 2], loudness: loudness)
            default: sound.speak(seconds, loudness: loudness)
            }
        }
        sound.rest(1)
        return sound
    }

    /// Adds white noise to all samples.
    mutating func addNoise(_ level: Float) { Signals.addNoise(level, to: &samples, &random) }

    /// Several segments of speech between silences. The seed determines their number and lengths.
    static func sentences(_ seed: UInt64, noise: Float) -> GeneratedAudio {
        var sound = GeneratedAudio(seed)
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
