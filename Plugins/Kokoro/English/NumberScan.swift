/// Goes through a text from number to number.
struct NumberScan {
    struct Amount {
        /// Digits without the commas between them.
        var whole: String
        /// Digits after the point; empty = none.
        var fraction: String
        /// With the sign.
        var bytes: Range<Int>
        /// Whether nothing else is written together with it.
        var isWord: Bool
        /// The word after it, and the range from the sign to the end of that word.
        var scale: String?
        var scaledBytes: Range<Int>
    }

    private let scalars: [Unicode.Scalar]
    /// The place of each in the UTF-8 of the text, and its end.
    private let places: [Int]
    private var index = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var place = 0
        places =
            scalars.map { scalar in
                defer { place += UTF8.width(scalar) }
                return place
            } + [text.utf8.count]
    }

    /// The currency sign right before the current number.
    var sign: Unicode.Scalar? {
        guard let before = at(index - 1), ["$", "£", "€"].contains(before) else { return nil }
        return before
    }

    /// Moves to the next digit.
    mutating func skipToNumber() -> Bool {
        while index < scalars.count, !isDigit(index) { index += 1 }
        return index < scalars.count
    }

    /// Moves past the current digits and what is written together with them.
    mutating func skip() {
        while index < scalars.count, isDigit(index) || isLetter(index) || isInside(index) { index += 1 }
    }

    /// A sum of money after its sign, such as 1,250.99.
    mutating func amount() -> Amount? {
        guard startsWord(index - 1) else { return nil }
        var end = index
        var whole = ""
        while isDigit(end) || at(end) == "," && (1...3).allSatisfy({ isDigit(end + $0) }) && !isDigit(end + 4) {
            if isDigit(end) { whole.unicodeScalars.append(scalars[end]) }
            end += 1
        }
        var fraction = ""
        if at(end) == ".", isDigit(end + 1) {
            end += 1
            while isDigit(end) {
                fraction.unicodeScalars.append(scalars[end])
                end += 1
            }
        }
        let bytes = places[index - 1]..<places[end]
        var amount = Amount(
            whole: whole, fraction: fraction, bytes: bytes, isWord: endsWord(end), scale: nil, scaledBytes: bytes)
        if at(end) == " " {
            var last = end + 1
            while isLetter(last) { last += 1 }
            if last > end + 1, endsWord(last) {
                amount.scale = String(String.UnicodeScalarView(scalars[(end + 1)..<last]))
                amount.scaledBytes = bytes.lowerBound..<places[last]
            }
        }
        index = end
        return amount
    }

    /// Four digits that are a word of their own, with -s or 's or without.
    mutating func fourDigits() -> (value: Int, isPlural: Bool, bytes: Range<Int>)? {
        let start = index
        guard startsWord(start) && !isAfterOtherNumber(start), (0..<4).allSatisfy({ isDigit(start + $0) }),
            !isDigit(start + 4)
        else { return nil }
        var end = start + 4
        var isPlural = false
        if at(end) == "s", endsWord(end + 1) {
            isPlural = true
            end += 1
        } else if !endsWord(end) {
            return nil
        }
        let value = scalars[start..<start + 4].reduce(0) { $0 * 10 + Int($1.value) - 0x30 }
        index = end
        return (value, isPlural, places[start]..<places[end])
    }

    /// A number after a minus that no letter or digit touches.
    mutating func negative() -> (digits: String, bytes: Range<Int>)? {
        guard let sign = at(index - 1), sign == "-" || sign == "−", startsWord(index - 1) else { return nil }
        let start = index
        while isDigit(index) || isInside(index) { index += 1 }
        return (String(String.UnicodeScalarView(scalars[start..<index])), places[start - 1]..<places[index])
    }

    /// Whether a hyphen and a digit stand right before what begins at a byte of the text.
    func endsRange(_ bytes: Range<Int>) -> Bool {
        var low = 0
        var high = scalars.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < bytes.lowerBound { low = middle + 1 } else { high = middle }
        }
        return at(low - 1) == "-" && isDigit(low - 2)
    }

    /// "123-4567": four digits after a dash are a year only if a number of four digits stands before it.
    private func isAfterOtherNumber(_ index: Int) -> Bool {
        guard let dash = at(index - 1), dash == "-" || dash == "–" else { return false }
        return !(2...5).allSatisfy { isDigit(index - $0) } || !startsWord(index - 5)
    }

    private func at(_ index: Int) -> Unicode.Scalar? { scalars.indices.contains(index) ? scalars[index] : nil }

    private func isDigit(_ index: Int) -> Bool { at(index).map { ("0"..."9").contains($0) } ?? false }

    private func isLetter(_ index: Int) -> Bool { at(index)?.properties.isAlphabetic ?? false }

    /// A point or comma between two digits.
    private func isInside(_ index: Int) -> Bool {
        at(index).map { [".", ",", ":", "/"].contains($0) } == true && isDigit(index - 1) && isDigit(index + 1)
    }

    private func startsWord(_ index: Int) -> Bool {
        guard let before = at(index - 1) else { return true }
        // A range of years.
        if before == "-" || before == "–" { return isDigit(index - 2) }
        return before.properties.isWhitespace || ["(", "[", "\"", "'", "“", "‘", "—"].contains(before)
    }

    private func endsWord(_ index: Int) -> Bool {
        guard let scalar = at(index) else { return true }
        switch scalar {
        case ".", ",", ":": return !isDigit(index + 1)
        case "-", "–": return true
        default:
            return scalar.properties.isWhitespace
                || [";", "!", "?", "…", ")", "]", "\"", "'", "’", "”", "—"].contains(scalar)
        }
    }
}
