import Foundation

@testable import SynthAudio

/// Audio that survives lossy encoding: a voice of a few harmonics with changing loudness, different in each channel.
enum Speechlike {
    static func samples(seconds: Double, _ format: AudioFormat) -> [Float] {
        let frames = Int(seconds * Double(format.sampleRate))
        var samples: [Float] = []
        samples.reserveCapacity(frames * format.channels)
        // These are plain loops, because tests are built without optimization, and even a few seconds of audio have
        // many samples.
        var frame = 0
        while frame < frames {
            let time = Double(frame) / Double(format.sampleRate)
            var channel = 0
            while channel < format.channels {
                let pitch = 140 + 60 * Double(channel) + 20 * sin(2 * .pi * 0.7 * time)
                let angle = 2 * .pi * pitch * time
                let low = sin(angle) + sin(2 * angle) / 2 + sin(3 * angle) / 3
                let voice = low + sin(4 * angle) / 4 + sin(5 * angle) / 5
                samples.append(Float(0.15 * voice * (1 + 0.5 * sin(2 * .pi * 3 * time))))
                channel += 1
            }
            frame += 1
        }
        return samples
    }

    /// The similarity of two signals within 0.2 s after `start`, maximized over small shifts; 1 means identical.
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
            var index = 0
            while index < count {
                let (a, b) = (Double(first[begin + index]), Double(second[moved + index]))
                product += a * b
                one += a * a
                two += b * b
                index += 1
            }
            best = max(best, product / (one * two + 1e-12).squareRoot())
        }
        return best
    }
}
