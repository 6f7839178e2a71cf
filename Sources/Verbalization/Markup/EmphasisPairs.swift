/// Signs of emphasis that belong together: one that opens, and the next of the same kind and length that closes.
struct EmphasisPairs {
    private(set) var found: [Replacement] = []
    private var open: [Key: Range<Int>] = [:]

    private struct Key: Hashable {
        let sign: UInt8
        let count: Int
    }

    mutating func add(_ range: Range<Int>, sign: UInt8, opens: Bool, closes: Bool) {
        // One tilde is no markup.
        guard sign != 0x7E || range.count == 2 else { return }
        let key = Key(sign: sign, count: range.count)
        if closes, let opening = open.removeValue(forKey: key) {
            found.append(Replacement(range: opening, words: "", kind: "markup"))
            found.append(Replacement(range: range, words: "", kind: "markup"))
        } else if opens {
            open[key] = range
        }
    }
}
