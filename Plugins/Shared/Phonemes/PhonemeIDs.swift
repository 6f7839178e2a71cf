/// A sentence as a model reads it.
package struct PhonemeIDs: Equatable, Sendable {
    /// A symbol, or several that the voice takes for one, with its ids and the pad behind them.
    package struct Unit: Equatable, Sendable {
        /// In the sentence's `scalars`.
        package var symbols: Range<Int>
        /// In `ids`.
        package var ids: Range<Int>
    }

    package var ids: [Int64] = []
    /// In order. Between them they hold all of `ids` but what begins and ends the sequence.
    package var units: [Unit] = []
    /// Symbols that the voice does not know, with the number of times that they were left out.
    package var unknown: [Unicode.Scalar: Int] = [:]
}
