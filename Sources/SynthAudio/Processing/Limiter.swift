/// A look-ahead limiter that keeps peaks at or below `threshold` without distortion. The gain is reduced before a peak and
/// rises slowly after it.
///
/// The same gain is applied to all channels. Audio at or below the threshold is unchanged. The output has the same
/// number of frames as the input, delayed by `lookAhead`. Later input never affects earlier output.
///
/// The required gain of each frame is smoothed in three stages: a minimum over the look-ahead window, a slow release,
/// and a mean over the window. The mean never exceeds the gain that a frame requires, because every averaged value is
/// at or below that gain. Gains are integers (2^30 represents 1) so that the running sum is exact and the mean returns
/// to exactly 1.
///
/// Samples must be finite. Not thread-safe.
package struct Limiter {
    /// The maximum 16-bit sample value. Audio at or below this level is unchanged.
    package static let threshold: Float = 32_767 / 32_768

    private static let unity: Int64 = 1 << 30
    private static let releaseSeconds = 0.08

    private let channels: Int
    private let lookAhead: Int
    private let releaseShare: Int64
    private var minimum: SlidingMinimum
    private var envelope = Self.unity
    /// A ring buffer of the last `lookAhead + 1` envelope values.
    private var envelopes: [Int64]
    /// The sum of the values in the ring buffer.
    private var sum: Int64
    private var position = 0
    /// The delayed samples, starting at `head`.
    private var held: [Float] = []
    private var head = 0
    private var taken = 0
    /// The number of consecutive frames with a gain of exactly 1.
    private var framesAtUnity: Int

    package init(format: AudioFormat) {
        channels = max(format.channels, 1)
        lookAhead = max(format.sampleRate / 200, 1)
        releaseShare = max(Int64(Double(max(format.sampleRate, 1)) * Self.releaseSeconds), 1)
        minimum = SlidingMinimum(window: lookAhead + 1)
        envelopes = Array(repeating: Self.unity, count: lookAhead + 1)
        sum = Self.unity * Int64(lookAhead + 1)
        framesAtUnity = lookAhead + 1
    }

    /// Processes `input` and appends the completed frames to `output`.
    package mutating func process(_ input: ArraySlice<Float>, into output: inout [Float]) {
        let frames = input.count / channels
        let first = held.count
        held.append(contentsOf: input.prefix(frames * channels))
        if isAtRest, Self.peak(held[first...]) <= Self.threshold {
            // The ring buffers contain only unity gain, so they do not change.
            taken += frames
            release(max(0, (held.count - head) / channels - lookAhead), into: &output)
        } else {
            output.reserveCapacity(output.count + input.count)
            for frame in 0..<frames {
                let start = first + frame * channels
                advance(peak: Self.peak(held[start..<start + channels]), into: &output)
            }
        }
        held.removeFirst(head)
        head = 0
    }

    /// Appends the delayed frames to `output` and resets the limiter.
    package mutating func finish(into output: inout [Float]) {
        if isAtRest {
            release((held.count - head) / channels, into: &output)
        } else {
            // Advance by `lookAhead` steps to output all delayed frames. If fewer frames are delayed, the first steps
            // produce no output.
            for _ in 0..<lookAhead { advance(peak: 0, into: &output) }
        }
        held = []
        head = 0
        taken = 0
        envelope = Self.unity
        sum = Self.unity * Int64(envelopes.count)
        for index in envelopes.indices { envelopes[index] = Self.unity }
        minimum = SlidingMinimum(window: envelopes.count)
        framesAtUnity = envelopes.count
    }

    /// Whether the ring buffers contain only unity gain, in which case audio at or below the threshold is unchanged.
    private var isAtRest: Bool { framesAtUnity >= envelopes.count }

    private static func peak(_ samples: ArraySlice<Float>) -> Float {
        samples.withUnsafeBufferPointer { samples in
            var peak: Float = 0
            for sample in samples { peak = max(peak, abs(sample)) }
            return peak
        }
    }

    /// Outputs the next frames unchanged.
    private mutating func release(_ frames: Int, into output: inout [Float]) {
        output.append(contentsOf: held[head..<head + frames * channels])
        head += frames * channels
    }

    private mutating func advance(peak: Float, into output: inout [Float]) {
        let needed =
            peak > Self.threshold
            ? Int64((Double(Self.threshold) / Double(peak) * Double(Self.unity)).rounded(.down)) : Self.unity
        // The gain rises by at least 1 per frame so that it eventually reaches unity.
        let released = envelope + max((Self.unity - envelope) / releaseShare, 1)
        envelope = min(minimum.push(needed), released, Self.unity)
        framesAtUnity = needed == Self.unity && envelope == Self.unity ? framesAtUnity + 1 : 0
        sum += envelope - envelopes[position]
        envelopes[position] = envelope
        position = (position + 1) % envelopes.count
        taken += 1
        guard taken > lookAhead else { return }
        if sum == Self.unity * Int64(envelopes.count) {
            release(1, into: &output)
        } else {
            let gain = Float(Double(sum) / Double(Self.unity * Int64(envelopes.count)))
            for index in head..<head + channels {
                output.append(max(-Self.threshold, min(Self.threshold, held[index] * gain)))
            }
            head += channels
        }
    }
}

/// The minimum of the last `window` values, computed in amortized constant time per value.
///
/// This is a monotonic queue in a ring buffer: it contains, in ascending order, the values that can still become the
/// minimum.
struct SlidingMinimum {
    private var values: [Int64]
    private var positions: [Int]
    private var first = 0
    private var count = 0
    private var position = 0

    init(window: Int) {
        values = Array(repeating: 0, count: max(window, 1))
        positions = Array(repeating: 0, count: max(window, 1))
    }

    mutating func push(_ value: Int64) -> Int64 {
        let window = values.count
        if count > 0 && positions[first] <= position - window {
            first = (first + 1) % window
            count -= 1
        }
        while count > 0 && values[(first + count - 1) % window] >= value { count -= 1 }
        let slot = (first + count) % window
        values[slot] = value
        positions[slot] = position
        count += 1
        position += 1
        return values[first]
    }
}
