/// The named lists of words and longer pieces of a language.
///
/// All pieces are in one table of places: a list begins at the place of its own number, and from a place and the number of
/// the next token a step leads to the next place.
final class WordLists: Sendable {
    private let keys: FixedBuffer<UInt64>
    private let places: FixedBuffer<Int32>
    /// For each place, the entry that ends there; -1 if none does.
    private let ends: FixedBuffer<Int32>
    /// For each list, whether a piece counts in whatever letters it is written.
    private let anyCase: FixedBuffer<Bool>

    init(_ tables: ListBuilder) {
        keys = FixedBuffer(tables.next.keys)
        places = FixedBuffer(tables.next.values)
        ends = FixedBuffer(tables.ends)
        anyCase = FixedBuffer(tables.anyCase)
    }

    /// The entries of a list that begin at a token.
    func entries(of list: Int, at index: Int, in tokens: FixedBuffer<Token>) -> ListMatches {
        var found = ListMatches()
        var place = Int32(truncatingIfNeeded: list)
        let anyCase = anyCase[list]
        var index = index
        while index < tokens.count {
            let number = anyCase ? tokens[index].folded : tokens[index].exact
            guard number != Token.unknown, let following = step(ListBuilder.key(place, number)) else { break }
            place = following
            index += 1
            let entry = ends[Int(place)]
            if entry >= 0 { found.append(end: index, entry: entry) }
        }
        return found
    }

    /// The entry that a token alone is.
    func entry(of list: Int, _ token: Token) -> Int32? {
        let number = anyCase[list] ? token.folded : token.exact
        guard number != Token.unknown,
            let place = step(ListBuilder.key(Int32(truncatingIfNeeded: list), number)), ends[Int(place)] >= 0
        else { return nil }
        return ends[Int(place)]
    }

    /// The place that a key leads to.
    private func step(_ key: UInt64) -> Int32? {
        let mask = keys.count - 1
        var slot = PlaceTable.slot(of: key, mask: mask)
        while keys[slot] != .max {
            if keys[slot] == key { return places[slot] }
            slot = (slot + 1) & mask
        }
        return nil
    }
}
