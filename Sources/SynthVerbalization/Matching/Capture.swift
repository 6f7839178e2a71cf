/// The part of a text that a named element of a pattern matched.
struct Capture {
    /// Tokens. `start` is -1 if the element matched nothing.
    var start: Int32 = -1
    var end: Int32 = -1
    /// The list's entry, -1 if it was no list.
    var entry: Int32 = -1
    /// The token with the digits after the decimal mark, -1 without.
    var fraction: Int32 = -1

    var isEmpty: Bool { start >= end }
    var range: Range<Int> { isEmpty ? 0..<0 : Int(start)..<Int(end) }
}

/// The captures of one match, by the numbers of their names.
typealias Captures = InlineArray<8, Capture>

/// What captures were before a match changed them. Keeps its memory when it becomes shorter.
struct Trail {
    /// How many of the changes count.
    var count = 0
    private var changes: [(slot: Int, old: Capture)] = []

    mutating func append(_ slot: Int, _ old: Capture) {
        if count < changes.count { changes[count] = (slot, old) } else { changes.append((slot, old)) }
        count += 1
    }

    /// Traps if there is none.
    mutating func removeLast() -> (slot: Int, old: Capture) {
        count -= 1
        return changes[count]
    }
}
