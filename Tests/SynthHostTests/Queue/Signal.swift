import Foundation

/// A tone, and how high a sound is.
enum Signal {
    static func tone(_ frequency: Double, frames: Int, sampleRate: Int) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(sampleRate))) }
    }

    /// Rising zero crossings per second.
    static func frequency(of samples: [Float], sampleRate: Int) -> Double {
        let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * Double(sampleRate) / Double(last - first)
    }
}
