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
