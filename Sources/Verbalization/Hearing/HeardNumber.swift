/// Reads the number that somebody said, as a recognizer of speech wrote it down: in figures or in words.
struct HeardNumber {
    private let decimalMark: Character
    private let groupMarks: Set<Character>
    private let speller: NumberSpeller

    init(_ language: Language, _ speller: NumberSpeller) {
        let mark = { (value: UInt32) in Unicode.Scalar(value).map(Character.init) }
        decimalMark = mark(language.decimalMark) ?? "."
        // These stand between groups of digits in every language.
        groupMarks = Set(
            (language.settings.groupMarks ?? []).compactMap(mark) + ["\u{A0}", "\u{202F}", "\u{2009}"])
        self.speller = speller
    }

    /// nil if it says no number, or something else besides.
    func value(of text: String) -> Double? {
        let said = trimmed(text)
        if let value = figures(said) { return value }
        // ICU would read figures in its own way, and mix them with words.
        guard !said.contains(where: { ("0"..."9").contains($0) }) else { return nil }
        return speller.value(of: said) ?? digits(said)
    }

    /// Without what stands around a sentence. A decimal mark before a digit stays: ".5".
    private func trimmed(_ text: String) -> String {
        let isEdge = { (character: Character) in
            character.isWhitespace || [".", ",", "!", "?", ";", ":", "\"", "“", "”"].contains(character)
        }
        var rest = text[...]
        while let last = rest.last, isEdge(last) { rest.removeLast() }
        while let first = rest.first, isEdge(first) {
            if first == decimalMark, isDigits(rest.dropFirst().prefix(1)) { break }
            rest.removeFirst()
        }
        return String(rest)
    }

    /// "42,5", "1 204", "-3": with the marks of the language.
    private func figures(_ text: String) -> Double? {
        var rest = text[...]
        let isNegative = rest.first == "-" || rest.first == "−"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        let parts = rest.split(separator: decimalMark, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.count == 2 && parts[0].isEmpty ? "0" : whole(parts[0]),
            parts.count == 1 || isDigits(parts[1]),
            let value = Double(parts.count == 1 ? whole : "\(whole).\(parts[1])")
        else { return nil }
        return isNegative ? -value : value
    }

    /// Digits without the marks between their groups of three.
    private func whole(_ text: Substring) -> String? {
        let groups = text.split(omittingEmptySubsequences: false) { groupMarks.contains($0) }
        guard groups.allSatisfy(isDigits), groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.count == 1 || groups[0].count <= 3
        else { return nil }
        return groups.joined()
    }

    private func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.count <= 300 && text.allSatisfy { ("0"..."9").contains($0) }
    }

    /// "four two seven": digits one by one, as telephone numbers are said.
    private func digits(_ text: String) -> Double? {
        let words = text.split { $0.isWhitespace || $0 == "," }
        guard words.count > 1, words.count <= 15 else { return nil }
        var value = 0.0
        for word in words {
            guard let digit = speller.value(of: String(word)), (0...9).contains(digit), digit == digit.rounded() else {
                return nil
            }
            value = value * 10 + digit
        }
        return value
    }
}
