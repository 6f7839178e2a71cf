import Foundation
import TestNumbers

/// Sounds for tests, and measurements on them.
enum Signals {
    static func tone(_ frequency: Double, seconds: Double, sampleRate: Int, amplitude: Float = 0.5) -> [Float] {
        (0..<Int(seconds * Double(sampleRate))).map {
            amplitude * Float(sin(2 * .pi * frequency * Double($0) / Double(sampleRate)))
        }
    }

    static func noise(_ count: Int, amplitude: Float, seed: UInt64) -> [Float] {
        var generator = SeededRandom(seed)
        return (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &generator) }
    }

    /// Rising zero crossings per second over the middle of a mono sound.
    static func frequency(of samples: [Float], sampleRate: Int) -> Double {
        let middle = Array(samples[samples.count / 10..<samples.count * 9 / 10])
        let crossings = middle.indices.dropFirst().filter { middle[$0 - 1] < 0 && middle[$0] >= 0 }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * Double(sampleRate) / Double(last - first)
    }

    /// The sound cut into pieces of changing length, each a whole number of frames.
    static func pieces(_ samples: [Float], channels: Int = 1, seed: UInt64 = 1) -> [ArraySlice<Float>] {
        var generator = SeededRandom(seed)
        var rest = samples[...]
        var pieces: [ArraySlice<Float>] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...3000, using: &generator) * channels)
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
