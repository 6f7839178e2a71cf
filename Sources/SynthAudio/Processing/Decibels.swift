import Glibc

/// A level as a ratio of amplitudes: 0 dB changes nothing, -6 dB halves the amplitude, -infinity is silence.
package struct Decibels: Sendable, Hashable, Comparable {
    package var value: Double

    package init(_ value: Double) {
        self.value = value
    }

    /// - Parameter amplitude: a linear factor; 0 and less give -infinity.
    package init(amplitude: Double) {
        value = amplitude > 0 ? 20 * log10(amplitude) : -.infinity
    }

    package var amplitude: Double { pow(10, value / 20) }

    package static func < (one: Decibels, other: Decibels) -> Bool { one.value < other.value }
}

/// A fixed gain.
package struct Gain: Sendable, Hashable {
    /// What each sample is multiplied by; 1 leaves every bit as it is.
    package var factor: Float

    package init(factor: Float) {
        self.factor = factor
    }

    package init(_ level: Decibels) {
        factor = Float(level.amplitude)
    }

    package func apply(to samples: inout [Float]) {
        guard factor != 1 else { return }
        for index in samples.indices { samples[index] *= factor }
    }
}
