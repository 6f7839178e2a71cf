import Foundation

/// Signals for tests, and measurements of them. They are in this target because it is optimized, unlike the test
/// targets, in which loops over millions of samples take seconds.
package enum Signals {
    package static func tone(
        _ frequency: Double, seconds: Double, sampleRate: Int, amplitude: Float = 0.5
    ) -> [Float] {
        (0..<Int(seconds * Double(sampleRate))).map {
            amplitude * Float(sin(2 * .pi * frequency * Double($0) / Double(sampleRate)))
        }
    }

    package static func noise(_ count: Int, amplitude: Float, seed: UInt64) -> [Float] {
        var generator = SeededRandom(seed)
        return (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &generator) }
    }

    /// Adds white noise to all samples.
    package static func addNoise(_ level: Float, to samples: inout [Float], _ random: inout SeededRandom) {
        for index in samples.indices { samples[index] += Float.random(in: -level...level, using: &random) }
    }

    /// Returns the same samples in all channels.
    package static func spread(_ samples: [Float], channels: Int) -> [Float] {
        samples.flatMap { Array(repeating: $0, count: channels) }
    }

    package static func firstChannel(_ samples: [Float], of channels: Int) -> [Float] {
        stride(from: 0, to: samples.count, by: channels).map { samples[$0] }
    }

    /// Returns the levels (root mean square) of consecutive runs of `count` samples in a mono signal.
    package static func levels(of samples: [Float], each count: Int) -> [Float] {
        stride(from: 0, to: samples.count - count, by: count).map { start in
            (samples[start..<start + count].reduce(0) { $0 + $1 * $1 } / Float(count)).squareRoot()
        }
    }

    /// Returns the number of rising zero crossings per second in the middle of a mono signal.
    package static func frequency(of samples: [Float], sampleRate: Int) -> Double {
        let middle = Array(samples[samples.count / 10..<samples.count * 9 / 10])
        let crossings = middle.indices.dropFirst().filter { middle[$0 - 1] < 0 && middle[$0] >= 0 }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * Double(sampleRate) / Double(last - first)
    }

    /// Returns the samples, divided into pieces of varying length that contain complete frames.
    package static func pieces(_ samples: [Float], channels: Int = 1, seed: UInt64 = 1) -> [ArraySlice<Float>] {
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
