/// When each word of a chunk sounds.
///
/// Computed like Kokoro's own pipeline does (`join_timestamps`): each word gets half of the space beside it, and
/// everything sounds a little earlier than the durations say.
package struct TokenTimes: Sendable {
    private let symbols: [Unicode.Scalar]
    /// Token `n`, pads included, sounds from frame `edges[n]` to `edges[n + 1]`.
    private let edges: [Double]
    private let frameCount: Int

    /// By how many units of 25 ms everything sounds earlier than Kokoro's durations say, and those of the voices that learned
    /// from it. At another rate it is as much of the sound.
    package static let lead = 3.0

    /// - Parameters:
    ///   - durations: One for each token, pads included, in the model's own unit. Together they are the whole sound.
    ///   - symbols: Those of the tokens between the pads.
    ///   - frameCount: The length of the sound.
    ///   - lead: By how much everything sounds earlier, in the unit of the durations. At most the duration of the first pad.
    /// - Returns: `nil` if the durations do not fit the symbols.
    package init?(durations: [Double], symbols: [Unicode.Scalar], frameCount: Int, lead: Double) {
        let total = durations.reduce(0, +)
        guard durations.count == symbols.count + 2, total > 0, total.isFinite, (Double(frameCount) / total).isFinite,
            durations.allSatisfy({ $0 >= 0 })
        else {
            return nil
        }
        // The unit differs between models, so it is computed from the sum.
        let unit = Double(frameCount) / total
        guard unit.isFinite else { return nil }
        let lead = min(durations.first ?? 0, lead)
        var sum = -lead
        edges =
            [0]
            + durations.map { duration in
                sum += duration
                return min(max(sum * unit, 0), Double(frameCount))
            }
        self.symbols = symbols
        self.frameCount = frameCount
    }

    /// When a word sounds, in frames of the chunk, with half of each space beside it. The first token is a pad.
    package func frames(of word: Range<Int>) -> Range<Int> {
        let start = isSpace(word.lowerBound - 1) ? middle(word.lowerBound - 1) : edges[word.lowerBound + 1]
        let end = isSpace(word.upperBound) ? middle(word.upperBound) : edges[word.upperBound + 1]
        return Int(start)..<max(Int(start), Int(end))
    }

    /// The same without the spaces.
    package func frames(ofSymbols symbols: Range<Int>) -> Range<Int> {
        let start = Int(edges[symbols.lowerBound + 1])
        return start..<max(start, Int(edges[symbols.upperBound + 1]))
    }

    private func isSpace(_ symbol: Int) -> Bool {
        symbols.indices.contains(symbol) && symbols[symbol] == SpokenSentence.space
    }

    private func middle(_ symbol: Int) -> Double { (edges[symbol + 1] + edges[symbol + 2]) / 2 }
}
