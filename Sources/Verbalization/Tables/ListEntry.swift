/// What a list says of a piece: `one|few|many|other @f / one|other @m`.
///
/// The forms stand in the order of the language's plural categories, the last counts for those that are missing. `@m`,
/// `@f` or `@n` is the gender. After the slash, the same of the hundredth part (cents, pence).
struct ListEntry: Sendable {
    /// Taken apart when it is said: of a thousand entries that are read, few are.
    private let text: String

    init(_ text: some StringProtocol) { self.text = String(text) }

    var forms: [String] { part(0).forms }
    var gender: Gender? { part(0).gender }
    var minorForms: [String] { part(1).forms }
    var minorGender: Gender? { part(1).gender }

    private func part(_ number: Int) -> (forms: [String], gender: Gender?) {
        guard let slash = text.range(of: " / ") else { return number == 0 ? Self.read(text) : ([], nil) }
        return Self.read(number == 0 ? text[..<slash.lowerBound] : text[slash.upperBound...])
    }

    private static func read(_ text: some StringProtocol) -> (forms: [String], gender: Gender?) {
        var words = text[...]
        var gender: Gender?
        if let at = words.range(of: " @"), let letter = words[at.upperBound...].first {
            gender = Gender(rawValue: letter)
            if gender != nil { words = words[..<at.lowerBound] }
        }
        let forms = words.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
        return (forms == [""] ? [] : forms, gender)
    }
}
