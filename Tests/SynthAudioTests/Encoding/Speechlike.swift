import Foundation

@testable import SynthAudio

/// A sound that lossy formats keep: a voice of a few harmonics that gets louder and softer, each channel another.
enum Speechlike {
    static func samples(seconds: Double, _ format: AudioFormat) -> [Float] {
        let frames = Int(seconds * Double(format.sampleRate))
        var samples: [Float] = []
        samples.reserveCapacity(frames * format.channels)
        for frame in 0..<frames {
            let time = Double(frame) / Double(format.sampleRate)
            for channel in 0..<format.channels {
                let pitch = 140 + 60 * Double(channel) + 20 * sin(2 * .pi * 0.7 * time)
                let voice = (1...5).reduce(0.0) { $0 + sin(2 * .pi * pitch * Double($1) * time) / Double($1) }
                samples.append(Float(0.15 * voice * (1 + 0.5 * sin(2 * .pi * 3 * time))))
            }
        }
        return samples
    }

    /// How alike two sounds are in a fifth of a second after `start`, at the best of small shifts: 1 = the same.
    static func likeness(_ first: [Float], _ second: [Float], channels: Int, sampleRate: Int, at start: Double)
        -> Double
    {
        let begin = Int(start * Double(sampleRate)) * channels
        let count = sampleRate / 5 * channels
        var best = 0.0
        for shift in -20...20 {
            let moved = begin + shift * channels
            guard moved >= 0, moved + count <= second.count, begin + count <= first.count else { continue }
            var (product, one, two) = (0.0, 0.0, 0.0)
            for index in 0..<count {
                let (a, b) = (Double(first[begin + index]), Double(second[moved + index]))
                product += a * b
                one += a * a
                two += b * b
            }
            best = max(best, product / (one * two + 1e-12).squareRoot())
        }
        return best
    }
}
