/// When each symbol of a chunk sounds.
struct TokenTimes {
    /// The edges of each token, pads included: token `n` sounds from `edges[n]` to `edges[n + 1]`.
    private let edges: [Int]

    /// - Parameters:
    ///   - durations: Of each token, pads included, in the model's own unit: the sum is the whole sound.
    ///   - tokenCount: Without the pads.
    ///   - frameCount: The length of the sound.
    /// - Returns: `nil` where the durations do not fit.
    init?(durations: [Double], tokenCount: Int, frameCount: Int) {
        let total = durations.reduce(0, +)
        guard durations.count == tokenCount + 2, total > 0, total.isFinite, durations.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        // The unit differs from model to model; the sum tells it.
        let unit = Double(frameCount) / total
        var sum = 0.0
        edges =
            [0]
            + durations.map { duration in
                sum += duration
                return min(Int(sum * unit), frameCount)
            }
    }

    /// Frames from the beginning of the chunk's sound.
    func frames(of symbols: Range<Int>) -> Range<Int> {
        // The first token is a pad.
        edges[symbols.lowerBound + 1]..<edges[symbols.upperBound + 1]
    }
}
