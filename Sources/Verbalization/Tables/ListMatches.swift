/// The entries of a list that begin at one token, the longest last.
struct ListMatches: BitwiseCopyable {
    struct Match: BitwiseCopyable {
        /// The token after the entry.
        var end: Int32 = 0
        var entry: Int32 = 0
    }

    private(set) var count = 0
    private var matches = InlineArray<12, Match>(repeating: Match())

    /// As many as an entry may have tokens.
    static let limit = 12

    subscript(index: Int) -> Match { matches[index] }

    mutating func append(end: Int, entry: Int32) {
        guard count < Self.limit else { return }
        matches[count] = Match(end: Int32(truncatingIfNeeded: end), entry: entry)
        count += 1
    }
}
