/// The times of a chunk's words.
///
/// As in Kokoro's own pipeline (`join_timestamps`), each word gets half of the space on either side, and all times are
/// slightly earlier than the durations suggest.
package struct TokenTimes: Sendable {
    private let symbols: [Unicode.Scalar]
    /// Token `n` extends from frame `edges[n]` to `edges[n + 1]`. Pads are counted as tokens.
    private let edges: [Double]
    private let frameCount: Int

    /// The offset by which events precede the times computed from the durations, in units of 25 ms at the normal rate,
    /// for Kokoro and voices distilled from it. At other rates, the offset is the same fraction of the audio.
    package static let lead = 3.0

    /// - Parameters:
    ///   - durations: One duration per token, including pads, in the model's unit. Their sum is the length of the audio.
    ///   - symbols: The symbols of the tokens between the pads.
    ///   - frameCount: The length of the audio in frames.
    ///   - lead: The offset by which events precede the computed times, in the unit of the durations; at most the
    ///     duration of the first pad.
    /// - Returns: `nil` if the durations do not match the symbols.
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

    /// Returns a word's frame range in the chunk, including half of each adjacent space. The first token is a pad.
    package func frames(of word: Range<Int>) -> Range<Int> {
        let start = isSpace(word.lowerBound - 1) ? middle(word.lowerBound - 1) : edges[word.lowerBound + 1]
        let end = isSpace(word.upperBound) ? middle(word.upperBound) : edges[word.upperBound + 1]
        return Int(start)..<max(Int(start), Int(end))
    }

    /// Returns the frame range of symbols in the chunk, without adjacent spaces.
    package func frames(ofSymbols symbols: Range<Int>) -> Range<Int> {
        let start = Int(edges[symbols.lowerBound + 1])
        return start..<max(start, Int(edges[symbols.upperBound + 1]))
    }

    private func isSpace(_ symbol: Int) -> Bool {
        symbols.indices.contains(symbol) && symbols[symbol] == SpokenSentence.space
    }

    private func middle(_ symbol: Int) -> Double { (edges[symbol + 1] + edges[symbol + 2]) / 2 }
}
