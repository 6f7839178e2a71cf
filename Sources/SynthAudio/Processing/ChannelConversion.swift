/// Changes the number of channels: several are mixed to their mean, one is copied.
package struct ChannelConversion: Sendable, Hashable {
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
