package import SynthSystem

/// A language's named lists of words and phrases.
///
/// All entries are in a single trie, stored as a hash table. A list's root is the node with the list's number. A node's
/// key consists of its parent node and the number of the token that leads to it.
final class WordLists: Sendable {
    private let keys: FixedBuffer<UInt64>
    private let places: FixedBuffer<Int32>
    /// For each node, the entry that ends there, or -1.
    private let ends: FixedBuffer<Int32>
    /// For each list, whether it is case-insensitive.
    private let anyCase: FixedBuffer<Bool>

    init(_ tables: ListBuilder) {
        keys = FixedBuffer(tables.next.keys)
        places = FixedBuffer(tables.next.values)
        ends = FixedBuffer(tables.ends)
        anyCase = FixedBuffer(tables.anyCase)
    }

    /// Returns the entries of a list that match at a token.
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

    /// Returns the list entry that consists only of this token, or nil if there is none.
    func entry(of list: Int, _ token: Token) -> Int32? {
        let number = anyCase[list] ? token.folded : token.exact
        guard number != Token.unknown,
            let place = step(ListBuilder.key(Int32(truncatingIfNeeded: list), number)), ends[Int(place)] >= 0
        else { return nil }
        return ends[Int(place)]
    }

    /// Returns the node for a key.
    private func step(_ key: UInt64) -> Int32? {
        let mask = keys.count - 1
        var slot = SlotTable.slot(of: key, mask: mask)
        while keys[slot] != .max {
            if keys[slot] == key { return places[slot] }
            slot = (slot + 1) & mask
        }
        return nil
    }
}

/// A language's lists while its tables are being read.
struct ListBuilder {
    private(set) var next = SlotTable()
    private(set) var ends: [Int32]
    private(set) var anyCase: [Bool] = []
    /// For each list, the first tokens of its entries, possibly with duplicates.
    private(set) var firstNumbers: [[UInt32]] = []
    /// For each list, the mask of its first tokens.
    private(set) var firstMasks: [TokenMask] = []
    /// For each list, whether any of its first tokens is an ideograph.
    private(set) var beginWithIdeographs: [Bool] = []
    /// For each list, whether it contains an entry of more than one token.
    private(set) var hasLongEntries: [Bool] = []

    /// The maximum number of lists. The first nodes are reserved for their roots.
    static let listLimit = 256
    init() { ends = Array(repeating: -1, count: Self.listLimit) }

    mutating func addList(anyCase isAnyCase: Bool) throws {
        guard anyCase.count < Self.listLimit else { throw TableError(.tooMuch) }
        anyCase.append(isAnyCase)
        firstNumbers.append([])
        firstMasks.append(TokenMask())
        beginWithIdeographs.append(false)
        hasLongEntries.append(false)
    }

    /// Adds an entry unless the list already contains it.
    mutating func add(_ tokens: [Token], entry: Int32, to list: Int) throws {
        guard let first = tokens.first, tokens.count <= ListMatches.limit else { throw TableError(.tooMuch) }
        let number = anyCase[list] ? first.folded : first.exact
        firstNumbers[list].append(number)
        firstMasks[list].formUnion(.of(number: number))
        if Token.isIdeograph(number) { beginWithIdeographs[list] = true }
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

/// The entries of a list that match at a token, from shortest to longest.
struct ListMatches: BitwiseCopyable {
    struct Match: BitwiseCopyable {
        /// The index of the token after the entry.
        var end: Int32 = 0
        var entry: Int32 = 0
    }

    private(set) var count = 0
    private var matches = InlineArray<12, Match>(repeating: Match())

    /// The maximum number of tokens in an entry.
    static let limit = 12

    subscript(index: Int) -> Match { matches[index] }

    mutating func append(end: Int, entry: Int32) {
        guard count < Self.limit else { return }
        matches[count] = Match(end: Int32(truncatingIfNeeded: end), entry: entry)
        count += 1
    }
}

/// A hash table from keys to nodes. It is faster than a dictionary. An attacker cannot provoke collisions, because keys
/// do not depend on the input text. At least half of the slots are empty.
struct SlotTable: Sendable {
    private(set) var keys = [UInt64](repeating: .max, count: 16)
    private(set) var values = [Int32](repeating: 0, count: 16)
    private var count = 0

    subscript(key: UInt64) -> Int32? {
        get {
            let place = place(of: key)
            return keys[place] == key ? values[place] : nil
        }
        set {
            guard let newValue else { return }
            if count * 2 >= keys.count { grow() }
            let place = place(of: key)
            if keys[place] != key { count += 1 }
            keys[place] = key
            values[place] = newValue
        }
    }

    private func place(of key: UInt64) -> Int {
        let mask = keys.count - 1
        var place = Self.slot(of: key, mask: mask)
        while keys[place] != .max, keys[place] != key { place = (place + 1) & mask }
        return place
    }

    /// Returns the slot at which to start probing for a key.
    static func slot(of key: UInt64, mask: Int) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    }

    private mutating func grow() {
        let old = zip(keys, values)
        keys = Array(repeating: .max, count: keys.count * 2)
        values = Array(repeating: 0, count: keys.count)
        for (key, value) in old where key != .max {
            let place = place(of: key)
            keys[place] = key
            values[place] = value
        }
    }
}

/// The value of a list entry: `one|few|many|other @f / one|other @m`.
///
/// The forms are in the order of the language's plural categories. The last form also applies to any remaining
/// categories. `@m`, `@f` or `@n` is the gender. The part after the slash describes the subunit, which is a hundredth
/// of the unit (cents, pence), in the same syntax.
final class ListEntry: Sendable {
    let forms: [String]
    let gender: GrammaticalGender?
    let minorForms: [String]
    let minorGender: GrammaticalGender?

    init(_ text: TableText) {
        guard let slash = text.range(of: " / ") else {
            (forms, gender) = Self.read(text)
            (minorForms, minorGender) = ([], nil)
            return
        }
        (forms, gender) = Self.read(text[..<slash.lowerBound])
        (minorForms, minorGender) = Self.read(text[slash.upperBound...])
    }

    private static func read(_ text: TableText) -> (forms: [String], gender: GrammaticalGender?) {
        var words = text
        var gender: GrammaticalGender?
        if let at = words.range(of: " @"), let letter = words[at.upperBound...].string.first {
            gender = GrammaticalGender(rawValue: letter)
            if gender != nil { words = words[..<at.lowerBound] }
        }
        let forms = words.split(separator: 0x7C, omittingEmptySubsequences: false).map(\.string)
        return (forms == [""] ? [] : forms, gender)
    }
}

/// The entries of all lists, indexed by number. They are parsed on first use, because only a few of the several
/// thousand entries are needed. Not thread-safe.
final class ListEntries {
    private let texts: [TableText]
    private var known: [ListEntry?]

    init(_ texts: [TableText]) {
        self.texts = texts
        known = Array(repeating: nil, count: texts.count)
    }

    subscript(number: Int) -> ListEntry {
        if let entry = known[number] { return entry }
        let entry = ListEntry(texts[number])
        known[number] = entry
        return entry
    }
}

/// A noun's grammatical gender, which determines the form of the preceding number.
enum GrammaticalGender: Character, CaseIterable, Sendable {
    case masculine = "m"
    case feminine = "f"
    case neuter = "n"
}

/// The reason why a language's tables cannot be used.
package struct TableError: Error, Equatable, Sendable {
    /// The kind of error in the tables.
    package enum Reason: Equatable, Sendable {
        case unreadable(Errno)
        /// ICU, which provides number words, is not installed.
        case noNumberWords

        // The section is unknown, or the line is not in a section. This reason and all of the following ones apply to a
        // line.
        case unknownSection(String)
        /// The line has no separator.
        case missing(String)
        case unknownSetting(String)
        /// A rule refers to a list that no table defines.
        case unknownList(String)
        /// A pattern contains an element of an unknown type.
        case unknownElement(String)
        /// A template uses a name that is not in the pattern.
        case unknownName(String)
        /// A template uses a form that no table defines.
        case unknownForm(String)
        /// A bracket is not closed, or an element is empty.
        case unbalanced
        /// A pattern has too many names or its brackets are nested too deeply, or a line is too long.
        case tooMuch
    }

    package let reason: Reason
    /// The path of the file, or nil if the error does not refer to a file.
    package let path: String?
    /// The line number, starting at 1, or nil if the error does not refer to a line.
    package let line: Int?

    init(_ reason: Reason, path: String? = nil, line: Int? = nil) {
        self.reason = reason
        self.path = path
        self.line = line
    }
}
