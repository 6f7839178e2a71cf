/// Converts a stream to another format. The rate is converted with the smaller number of channels.
///
/// Equal formats pass the samples unchanged. One thread at a time.
package final class FormatConverter {
    private let before: ChannelConversion
    private let rate: SampleRateConverter
    private let after: ChannelConversion
    private var fewer: [Float] = []
    private var converted: [Float] = []

    /// - Throws: `formatUnusable`, `conversionFailed`.
    package init(from: AudioFormat, to: AudioFormat) throws(AudioError) {
        let channels = min(from.channels, to.channels)
        before = ChannelConversion(from: from.channels, to: channels)
        rate = try SampleRateConverter(from: from.sampleRate, to: to.sampleRate, channels: channels)
        after = ChannelConversion(from: channels, to: to.channels)
        try from.check()
        try to.check()
    }

    /// Appends to `output` the frames that are ready.
    ///
    /// - Throws: `conversionFailed`.
    package func process(_ input: ArraySlice<Float>, into output: inout [Float]) throws(AudioError) {
        fewer.removeAll(keepingCapacity: true)
        converted.removeAll(keepingCapacity: true)
        before.process(input, into: &fewer)
        try rate.process(fewer[...], into: &converted)
        after.process(converted[...], into: &output)
    }

    /// Appends to `output` what is still inside; the converter can then take a new stream.
    ///
    /// - Throws: `conversionFailed`.
    package func finish(into output: inout [Float]) throws(AudioError) {
        converted.removeAll(keepingCapacity: true)
        try rate.finish(into: &converted)
        after.process(converted[...], into: &output)
    }

    /// The output frame of an input frame.
    package func outputFrame(forInput frame: Int) -> Int {
        rate.outputFrame(forInput: frame)
    }
}

/// Changes the number of channels: several are mixed to their mean, one is copied.
package struct ChannelConversion: Sendable, Equatable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    /// Appends the frames of `input` with `to` channels to `output`. Equal numbers pass the samples unchanged.
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
