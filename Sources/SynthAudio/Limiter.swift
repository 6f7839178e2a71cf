/// Keeps peaks at or below `threshold` without distortion: the gain sinks before a peak comes and rises slowly after it.
///
/// All channels get the same gain. Sound that stays at or below the threshold passes bit for bit. As many frames come
/// out as go in, `lookAhead` later; no output depends on input that is later than that.
///
/// The gain that each frame needs passes through a minimum over the look-ahead, a slow release, and a mean over the
/// look-ahead; the mean is never above what the frame needs, since every value in it has seen that frame. Gains are
/// integers (1 is 2^30), so that the running sum of the mean is exact and returns to 1 exactly.
///
/// Samples must be finite. One thread at a time.
package struct Limiter {
    /// The largest value that 16-bit samples can hold: what fits is not touched.
    package static let threshold: Float = 32_767 / 32_768

    private static let unity: Int64 = 1 << 30
    private static let releaseSeconds = 0.08

    private let channels: Int
    private let lookAhead: Int
    private let releaseShare: Int64
    private var minimum: SlidingMinimum
    private var envelope = Self.unity
    /// The latest `lookAhead + 1` envelopes and their sum.
    private var envelopes: [Int64]
    private var sum: Int64
    /// The latest `lookAhead` frames, as a ring like `envelopes`.
    private var delayed: [Float]
    private var position = 0
    private var taken = 0

    package init(format: AudioFormat) {
        channels = max(format.channels, 1)
        lookAhead = max(format.sampleRate / 200, 1)
        releaseShare = max(Int64(Double(max(format.sampleRate, 1)) * Self.releaseSeconds), 1)
        minimum = SlidingMinimum(window: lookAhead + 1)
        envelopes = Array(repeating: Self.unity, count: lookAhead + 1)
        sum = Self.unity * Int64(lookAhead + 1)
        delayed = Array(repeating: 0, count: (lookAhead + 1) * channels)
    }

    /// Appends to `output` the frames that are ready.
    package mutating func process(_ input: ArraySlice<Float>, into output: inout [Float]) {
        output.reserveCapacity(output.count + input.count)
        var frame = input.startIndex
        while frame + channels <= input.endIndex {
            var peak: Float = 0
            for sample in input[frame..<frame + channels] { peak = max(peak, abs(sample)) }
            for channel in 0..<channels { delayed[position * channels + channel] = input[frame + channel] }
            advance(peak: peak, into: &output)
            frame += channels
        }
    }

    /// Appends to `output` the frames that were held back; the limiter is then as new.
    package mutating func finish(into output: inout [Float]) {
        // As many steps as frames can wait for; the first ones give nothing where fewer came in.
        for _ in 0..<(taken > 0 ? lookAhead : 0) { advance(peak: 0, into: &output) }
        taken = 0
        envelope = Self.unity
        sum = Self.unity * Int64(envelopes.count)
        for index in envelopes.indices { envelopes[index] = Self.unity }
        minimum = SlidingMinimum(window: envelopes.count)
    }

    private mutating func advance(peak: Float, into output: inout [Float]) {
        let needed =
            peak > Self.threshold
            ? Int64((Double(Self.threshold) / Double(peak) * Double(Self.unity)).rounded(.down)) : Self.unity
        // The release rises by at least 1, so that it arrives at unity.
        let released = envelope + max((Self.unity - envelope) / releaseShare, 1)
        envelope = min(minimum.push(needed), released, Self.unity)
        sum += envelope - envelopes[position]
        envelopes[position] = envelope
        position = (position + 1) % envelopes.count
        taken += 1
        guard taken > lookAhead else { return }
        let frame = position * channels..<(position + 1) * channels
        if sum == Self.unity * Int64(envelopes.count) {
            output.append(contentsOf: delayed[frame])
        } else {
            let gain = Float(Double(sum) / Double(Self.unity * Int64(envelopes.count)))
            for sample in delayed[frame] {
                output.append(max(-Self.threshold, min(Self.threshold, sample * gain)))
            }
        }
    }
}
