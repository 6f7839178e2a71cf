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
