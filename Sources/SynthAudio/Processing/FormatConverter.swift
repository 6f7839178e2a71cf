import CSynthSampleRate

/// Converts a stream to a different format. Channels are mixed down before the sample rate is converted; additional
/// channels are added afterwards. The mix-down avoids cancellation between channels (`MonoMix`).
///
/// If both formats are equal, samples are unchanged. Not thread-safe.
package final class FormatConverter {
    /// The mono mixer, or nil if the channels are not mixed down.
    private var mix: MonoMix?
    private let before: ChannelConversion
    private let rate: SampleRateConverter
    private let after: ChannelConversion
    private var mixed: [Float] = []
    private var fewer: [Float] = []
    private var converted: [Float] = []

    /// - Throws: `formatUnusable`, `conversionFailed`.
    package init(from: AudioFormat, to: AudioFormat) throws(AudioError) {
        let channels = min(from.channels, to.channels)
        mix = channels < from.channels ? MonoMix(format: from) : nil
        before = ChannelConversion(from: channels < from.channels ? 1 : channels, to: channels)
        rate = try SampleRateConverter(from: from.sampleRate, to: to.sampleRate, channels: channels)
        after = ChannelConversion(from: channels, to: to.channels)
        try from.check()
        try to.check()
    }

    /// Processes `input` and appends the completed frames to `output`.
    ///
    /// - Throws: `conversionFailed`.
    package func process(_ input: ArraySlice<Float>, into output: inout [Float]) throws(AudioError) {
        if mix == nil { return try convert(input, into: &output) }
        mixed.removeAll(keepingCapacity: true)
        mix?.process(input, into: &mixed)
        try convert(mixed[...], into: &output)
    }

    private func convert(_ input: ArraySlice<Float>, into output: inout [Float]) throws(AudioError) {
        fewer.removeAll(keepingCapacity: true)
        converted.removeAll(keepingCapacity: true)
        before.process(input, into: &fewer)
        try rate.process(fewer[...], into: &converted)
        after.process(converted[...], into: &output)
    }

    /// Appends the remaining frames to `output`. The converter can then process a new stream.
    ///
    /// - Throws: `conversionFailed`.
    package func finish(into output: inout [Float]) throws(AudioError) {
        mixed.removeAll(keepingCapacity: true)
        mix?.finish(into: &mixed)
        if !mixed.isEmpty { try convert(mixed[...], into: &output) }
        converted.removeAll(keepingCapacity: true)
        try rate.finish(into: &converted)
        after.process(converted[...], into: &output)
    }

    /// Returns the output frame that corresponds to an input frame.
    package func outputFrame(forInput frame: Int) -> Int {
        rate.outputFrame(forInput: frame)
    }
}

/// Mixes channels down to mono without cancellation. If a channel's polarity is opposite to that of the channels before
/// it, for example because of a miswired cable, the channel is inverted before it is added. All channels, correlated or
/// not, are then averaged.
///
/// The decision to invert a channel is updated every 50 ms. It is based on all audio so far, weighted toward the last
/// half second. A channel is inverted only if it is clearly out of phase, and the change is gradual so that no step is
/// audible. The result depends only on the audio, not on block sizes. The delay is up to 50 ms. Not thread-safe.
struct MonoMix {
    /// The power of a channel, the power of the sum of the preceding channels, and the correlation between the channel
    /// and that sum.
    private struct Relation {
        var common = 0.0
        var sum = 0.0
        var own = 0.0
        /// 1 if the channel is added unchanged, -1 if it is inverted, or 0 while no decision has been made.
        var sign: Float = 0

        /// - Returns: the signs at the start and end of the block.
        mutating func decide(_ sum: [Float], _ own: [Float]) -> (Float, Float) {
            (common, self.sum, self.own) = (common * Self.memory, self.sum * Self.memory, self.own * Self.memory)
            for (one, other) in zip(sum, own) {
                common += Double(one * other)
                self.sum += Double(one * one)
                self.own += Double(other * other)
            }
            let before = sign
            let disagreement = -common * Double(sign == 0 ? 1 : sign)
            if disagreement > 0.5 * (self.sum * self.own).squareRoot() {
                sign = sign < 0 ? 1 : -1
            } else if sign == 0 {
                sign = 1
            }
            return (before == 0 ? sign : before, sign)
        }

        /// The factor by which each block reduces the weight of older audio.
        private static let memory = 0.9
    }

    private let channels: Int
    private let blockFrames: Int
    private var held: [Float] = []
    private var relations: [Relation]

    init(format: AudioFormat) {
        channels = max(format.channels, 1)
        blockFrames = max(format.sampleRate / 20, 1)
        relations = Array(repeating: Relation(), count: channels - 1)
    }

    /// Processes `input` and appends the completed frames to `output`.
    mutating func process(_ input: ArraySlice<Float>, into output: inout [Float]) {
        held.append(contentsOf: input)
        let length = blockFrames * channels
        var position = 0
        while held.count - position >= length {
            mix(held[position..<position + length], into: &output)
            position += length
        }
        held.removeFirst(position)
    }

    /// Appends the remaining frames to `output`. The mixer can then process a new stream.
    mutating func finish(into output: inout [Float]) {
        mix(held[..<(held.count / channels * channels)], into: &output)
        held.removeAll(keepingCapacity: true)
        relations = Array(repeating: Relation(), count: channels - 1)
    }

    private mutating func mix(_ block: ArraySlice<Float>, into output: inout [Float]) {
        func channel(_ number: Int) -> [Float] {
            stride(from: block.startIndex + number, to: block.endIndex, by: channels).map { block[$0] }
        }
        var sum = channel(0)
        for number in 1..<max(channels, 1) {
            let own = channel(number)
            let (first, last) = relations[number - 1].decide(sum, own)
            let step = (last - first) / Float(max(sum.count, 1))
            for frame in sum.indices {
                sum[frame] += own[frame] * (first == last ? last : first + step * Float(frame + 1))
            }
        }
        output.reserveCapacity(output.count + sum.count)
        for sample in sum { output.append(sample / Float(channels)) }
    }
}

/// Changes the number of channels. Input channels are averaged, and the result is copied to all output channels.
package struct ChannelConversion: Sendable, Equatable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    /// Appends the frames of `input`, converted to `to` channels, to `output`. If both counts are equal, samples are unchanged.
    package func process(_ input: ArraySlice<Float>, into output: inout [Float]) {
        guard from != to else {
            output.append(contentsOf: input)
            return
        }
        output.reserveCapacity(output.count + input.count / from * to)
        var frame = input.startIndex
        while frame + from <= input.endIndex {
            let mean = from == 1 ? input[frame] : input[frame..<frame + from].reduce(0, +) / Float(from)
            for _ in 0..<to { output.append(mean) }
            frame += from
        }
    }
}

/// Converts a stream to a different sample rate (libsamplerate, medium-quality band-limited sinc interpolation: 121 dB
/// signal-to-noise ratio, 90% bandwidth).
///
/// If both rates are equal, samples are unchanged. Overshoot beyond [-1, 1] is possible. Not thread-safe.
package final class SampleRateConverter {
    package let from: Int
    package let to: Int
    private let channels: Int
    private let state: OpaquePointer?
    private var buffer: [Float] = []

    /// - Throws: `formatUnusable`; `conversionFailed`, for example if the ratio of the rates exceeds 256.
    package init(from: Int, to: Int, channels: Int) throws(AudioError) {
        try AudioFormat(sampleRate: from, channels: channels).check()
        try AudioFormat(sampleRate: to, channels: channels).check()
        self.from = from
        self.to = to
        self.channels = channels
        guard from != to else {
            state = nil
            return
        }
        var code: Int32 = 0
        guard src_is_valid_ratio(Double(to) / Double(from)) != 0,
            let created = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), Int32(channels), &code)
        else {
            throw .conversionFailed(.rates(from: from, to: to))
        }
        state = created
    }

    deinit {
        if let state { src_delete(state) }
    }

    /// Processes `input` and appends the completed frames to `output`.
    ///
    /// - Throws: `conversionFailed`.
    package func process(_ input: ArraySlice<Float>, into output: inout [Float]) throws(AudioError) {
        guard state != nil else {
            output.append(contentsOf: input)
            return
        }
        try convert(input, isLast: false, into: &output)
    }

    /// Appends the remaining frames to `output`. The converter can then process a new stream.
    ///
    /// - Throws: `conversionFailed`.
    package func finish(into output: inout [Float]) throws(AudioError) {
        guard let state else { return }
        try convert([], isLast: true, into: &output)
        src_reset(state)
    }

    /// Returns the output frame that corresponds to an input frame. Interpolation adds no delay.
    package func outputFrame(forInput frame: Int) -> Int {
        Int((Double(frame) * Double(to) / Double(from)).rounded())
    }

    private func convert(_ input: ArraySlice<Float>, isLast: Bool, into output: inout [Float]) throws(AudioError) {
        let room = 4096
        if buffer.isEmpty { buffer = Array(repeating: 0, count: room * channels) }
        var rest = input
        while true {
            let (code, used, made) = step(rest, isLast: isLast, room: room)
            guard code == 0 else {
                throw .conversionFailed(.library(src_strerror(code).map { String(cString: $0) } ?? "code \(code)"))
            }
            output.append(contentsOf: buffer.prefix(made * channels))
            rest = rest.dropFirst(used * channels)
            if made == 0 && (used == 0 || rest.isEmpty) { return }
        }
    }

    private func step(_ input: ArraySlice<Float>, isLast: Bool, room: Int) -> (code: Int32, used: Int, made: Int) {
        input.withUnsafeBufferPointer { source in
            buffer.withUnsafeMutableBufferPointer { target in
                var data = SRC_DATA()
                // An empty slice may have no address. libsamplerate requires an address but does not read from it.
                data.data_in = source.baseAddress ?? UnsafePointer(target.baseAddress)
                data.input_frames = source.count / channels
                data.data_out = target.baseAddress
                data.output_frames = room
                data.end_of_input = isLast ? 1 : 0
                data.src_ratio = Double(to) / Double(from)
                let code = src_process(state, &data)
                return (code, data.input_frames_used, data.output_frames_gen)
            }
        }
    }
}
