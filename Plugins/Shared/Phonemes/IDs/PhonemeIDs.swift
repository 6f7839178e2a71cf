/// A sentence as a model reads it.
package struct PhonemeIDs: Equatable, Sendable {
    /// A symbol, or several that the voice takes for one, with its ids and the pad after them.
    package struct Unit: Equatable, Sendable {
        /// In the sentence's `scalars`.
        package var symbols: Range<Int>
        /// In `ids`.
        package var ids: Range<Int>
    }

    package var ids: [Int64] = []
    /// In order. Together they cover all of `ids` except the begin and end.
    package var units: [Unit] = []
    /// Symbols that the voice does not know, and how often each was left out.
    package var unknown: [Unicode.Scalar: Int] = [:]
}
