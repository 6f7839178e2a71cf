import CONNXRuntime

/// How many channels the library puts into a block of its own layout. It depends on the processor and on the library.
enum BlockSize {
    /// Found by looking where the numbers of a small tensor go. `nil` if the library has no such layout on this
    /// processor.
    static func probe(_ runtime: InferenceRuntime) -> Int? {
        let channels = 32
        // The second moment of the first channel stands after the first block, and no other place looks like that.
        var numbers = [Float](repeating: 0, count: 2 * channels)
        for place in numbers.indices { numbers[place] = Float(place) }
        let node = GraphNode("ReorderInput", domain: BlockedNodes.domain, inputs: ["input"], outputs: ["output"])
        guard let session = try? InferenceSession(bytes: ProbeModel.bytes(node), runtime),
            let run = try? InferenceRun(),
            let outputs = try? session.run(
                [("input", InferenceTensor(numbers, shape: [1, Int64(channels), 1, 2]))], outputs: ["output"], as: run)
        else { return nil }
        let found = outputs[0].withFloats { Array($0) } ?? []
        return [8, 16].first { block in
            let blocked = Self.blocked(numbers, channels, block)
            return found == blocked
        }
    }

    private static func blocked(_ numbers: [Float], _ channels: Int, _ block: Int) -> [Float] {
        stride(from: 0, to: channels, by: block).flatMap { first in
            (0..<2).flatMap { moment in (first..<first + block).map { numbers[2 * $0 + moment] } }
        }
    }
}
