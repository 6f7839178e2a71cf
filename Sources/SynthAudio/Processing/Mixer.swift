import Glibc

/// A level as an amplitude ratio: 0 dB is unchanged, -6 dB halves the amplitude, and -infinity is silence.
package struct Decibels: Sendable, Hashable, Comparable {
    package var value: Double

    package init(_ value: Double) {
        self.value = value
    }

    /// - Parameter amplitude: a linear factor. Values of 0 or less result in -infinity.
    package init(amplitude: Double) {
        value = amplitude > 0 ? 20 * log10(amplitude) : -.infinity
    }

    package var amplitude: Double { pow(10, value / 20) }

    package static func < (one: Decibels, other: Decibels) -> Bool { one.value < other.value }
}

/// A fixed gain.
package struct Gain: Sendable, Hashable {
    /// The factor by which each sample is multiplied. A factor of 1 leaves samples bit-identical.
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

/// Mixes channels into one stream. If the sum exceeds full scale, the limiter reduces the entire mix.
///
/// The output has as many frames as all blocks combined and is delayed by a few milliseconds. The output is identical
/// to the input if there is only one channel, with a level of 1 and no samples above full scale. Not thread-safe.
package struct Mixer {
    package let format: AudioFormat
    private var limiter: Limiter
    private var sum: [Float] = []

    package init(format: AudioFormat) {
        self.format = format
        limiter = Limiter(format: format)
    }

    /// Mixes `inputs` and appends the completed frames to `output`.
    ///
    /// - Parameter frames: the block length. Longer inputs are truncated.
    package mutating func mix(_ inputs: [MixerInput], frames: Int, into output: inout [Float]) {
        let count = frames * format.channels
        sum.removeAll(keepingCapacity: true)
        sum.append(contentsOf: repeatElement(0, count: count))
        for input in inputs { add(input, frames: frames) }
        limiter.process(sum[...], into: &output)
    }

    /// Appends the remaining frames to `output`. The mixer can then process a new stream.
    package mutating func finish(into output: inout [Float]) { limiter.finish(into: &output) }

    private mutating func add(_ input: MixerInput, frames: Int) {
        let samples = input.samples.prefix(sum.count)
        let channels = format.channels
        if input.firstLevel == input.level {
            for (index, sample) in samples.enumerated() { sum[index] += sample * input.level }
            return
        }
        let step = (input.level - input.firstLevel) / Float(max(frames, 1))
        for (index, sample) in samples.enumerated() {
            sum[index] += sample * (input.firstLevel + step * Float(index / channels + 1))
        }
    }
}

/// The contribution of one channel to a block of the mix.
package struct MixerInput: Sendable {
    /// Interleaved samples of complete frames in the format of the mix. If there are fewer frames than in the block, silence
    /// is appended.
    package var samples: ArraySlice<Float>
    /// The gain factor at the first frame.
    package var firstLevel: Float
    /// The gain factor at the last frame of the block. Between the first and last frames, the gain changes linearly so
    /// that no step is audible.
    package var level: Float

    package init(_ samples: ArraySlice<Float>, level: Float = 1, from firstLevel: Float? = nil) {
        self.samples = samples
        self.level = level
        self.firstLevel = firstLevel ?? level
    }
}
