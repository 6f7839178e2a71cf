import Foundation
package import TestSupport

extension ParsedWAV {
    package var frames: Int { samples.count / max(channels, 1) }
    package var seconds: Double { Double(frames) / Double(sampleRate) }
    package var peak: Int { samples.reduce(0) { max($0, abs(Int($1))) } }

    /// The root mean square in dBFS.
    package var level: Double {
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        return 10 * log10(sum / Double(max(samples.count, 1)) / (32768 * 32768))
    }

    package var pitch: Double? { fundamentalFrequency(samples.map { Float($0) / 32768 }, sampleRate: sampleRate) }
}

/// 16-bit samples, without a header.
package func rawSamples(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
        Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
    }
}
