/// What a list says of a piece: `one|few|many|other @f / one|other @m`.
///
/// The forms stand in the order of the language's plural categories, the last counts for those that are missing. `@m`,
/// `@f` or `@n` is the gender. After the slash, the same of the hundredth part (cents, pence).
final class ListEntry: Sendable {
    let forms: [String]
    let gender: GrammaticalGender?
    let minorForms: [String]
    let minorGender: GrammaticalGender?

    init(_ text: Substring) {
        guard let slash = text.range(of: " / ") else {
            (forms, gender) = Self.read(text)
            (minorForms, minorGender) = ([], nil)
            return
        }
        (forms, gender) = Self.read(text[..<slash.lowerBound])
        (minorForms, minorGender) = Self.read(text[slash.upperBound...])
    }

    private static func read(_ text: Substring) -> (forms: [String], gender: GrammaticalGender?) {
        var words = text
        var gender: GrammaticalGender?
        if let at = words.range(of: " @"), let letter = words[at.upperBound...].first {
            gender = GrammaticalGender(rawValue: letter)
            if gender != nil { words = words[..<at.lowerBound] }
        }
        let forms = words.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
        return (forms == [""] ? [] : forms, gender)
    }
}

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

/// The gender of a noun, on which the form of its number depends.
enum GrammaticalGender: Character, Sendable {
    case masculine = "m"
    case feminine = "f"
    case neuter = "n"
}
