/// The entries of all lists, by number. One is taken apart when it is first said: of a thousand that are read, few are.
/// Used by one thread at a time.
final class ListEntries {
    private let texts: [Substring]
    private var known: [ListEntry?]

    init(_ texts: [Substring]) {
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
