/// The lists of a language while its tables are read.
struct ListBuilder {
    private(set) var next = PlaceTable()
    private(set) var ends: [Int32]
    private(set) var anyCase: [Bool] = []
    /// What the entries of each list begin with.
    private(set) var firstNumbers: [Set<UInt32>] = []
    /// For each list, whether an entry has several tokens.
    private(set) var hasLongEntries: [Bool] = []

    /// The first places are those of lists.
    static let listLimit = 256
    init() { ends = Array(repeating: -1, count: Self.listLimit) }

    mutating func addList(anyCase isAnyCase: Bool) throws(TableFlaw) {
        guard anyCase.count < Self.listLimit else { throw .tooMuch }
        anyCase.append(isAnyCase)
        firstNumbers.append([])
        hasLongEntries.append(false)
    }

    /// Adds a piece, unless the list has it.
    mutating func add(_ tokens: [Token], entry: Int32, to list: Int) throws(TableFlaw) {
        guard let first = tokens.first, tokens.count <= ListMatches.limit else { throw .tooMuch }
        firstNumbers[list].insert(anyCase[list] ? first.folded : first.exact)
        if tokens.count > 1 { hasLongEntries[list] = true }
        var place = Int32(clamping: list)
        for token in tokens {
            let key = Self.key(place, anyCase[list] ? token.folded : token.exact)
            if let known = next[key] {
                place = known
            } else {
                place = Int32(clamping: ends.count)
                next[key] = place
                ends.append(-1)
            }
        }
        if ends[Int(place)] < 0 { ends[Int(place)] = entry }
    }

    static func key(_ place: Int32, _ number: UInt32) -> UInt64 {
        UInt64(UInt32(bitPattern: place)) << 32 | UInt64(number)
    }
}
