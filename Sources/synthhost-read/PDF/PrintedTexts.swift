import SynthDocuments

/// Joins the lines of paragraphs and removes hyphens that only split a word. Handles footnote references and exponents.
struct PrintedTexts {
    /// The number of times that each word occurs in the document, keyed by the word in lowercase. The first and last
    /// words of a line are not counted, unless the line consists of a single word.
    private var words: [String: Int] = [:]
    /// The footnote numbers and symbols on each page.
    let marks: [Int: Set<String>]

    private static let maximumWords = 500_000

    init(_ paragraphs: [PrintedParagraph], marks: [Int: Set<String>]) {
        self.marks = marks
        for paragraph in paragraphs {
            for line in paragraph.lines + paragraph.cells {
                let parts = line.text.split(separator: " ")
                for (index, part) in parts.enumerated()
                where index > 0 && index + 1 < parts.count || parts.count == 1 && index == 0 {
                    let word = String(part).lowercased().trimmed { !$0.isLetter && !$0.isNumber }
                    guard word.count > 1, words.count < Self.maximumWords else { continue }
                    words[word, default: 0] += 1
                }
            }
        }
    }

    /// Text with its emphasis and the footnotes that it refers to.
    struct Text: Equatable {
        var text = ""
        var emphasis: [Range<Int>] = []
        var references: [String] = []
        fileprivate var stressedFrom: Int?

        fileprivate mutating func add(_ part: String, isSpaced: Bool, isStressed: Bool) {
            guard !part.isEmpty else { return }
            if !isStressed { endEmphasis() }
            if isSpaced, !text.isEmpty { text += " " }
            if isStressed, stressedFrom == nil { stressedFrom = text.utf8.count }
            text += part
        }

        fileprivate mutating func endEmphasis() {
            if let from = stressedFrom { emphasis.append(from..<text.utf8.count) }
            stressedFrom = nil
        }

        /// Removes a hyphen at the end of the text.
        fileprivate mutating func removeHyphen() {
            text.removeLast()
            if let from = stressedFrom { stressedFrom = min(from, text.utf8.count) }
            if let last = emphasis.last, last.upperBound > text.utf8.count {
                emphasis[emphasis.count - 1] = min(last.lowerBound, text.utf8.count)..<text.utf8.count
            }
        }
    }

    func text(of lines: [PrintedLine], page: Int) -> Text {
        var result = Text()
        for (number, line) in lines.enumerated() {
            for (index, piece) in line.pieces.enumerated() {
                if index == 0, number > 0 {
                    let isSpaced = join(&result, line.text)
                    add(piece, to: &result, isSpaced: isSpaced, page)
                } else {
                    add(piece, to: &result, isSpaced: piece.isSpaced, page)
                }
            }
        }
        result.endEmphasis()
        result.emphasis.removeAll(where: \.isEmpty)
        return result
    }

    // MARK: - Superscripts and subscripts

    private func add(_ piece: PrintedLine.Piece, to result: inout Text, isSpaced: Bool, _ page: Int) {
        switch piece.position {
        case .base:
            let (text, names) = withoutMarks(piece.text, page)
            result.add(text, isSpaced: isSpaced, isStressed: piece.isStressed)
            result.references += names
        case .lowered:
            result.add(
                RaisedText.subscripted(piece.text) ?? piece.text, isSpaced: isSpaced, isStressed: piece.isStressed)
        case .raised:
            if let names = references(piece.text, after: result.text, page) {
                result.references += names
            } else {
                result.add(
                    RaisedText.superscript(piece.text, withN: true) ?? piece.text, isSpaced: isSpaced,
                    isStressed: piece.isStressed)
            }
        }
    }

    /// Removes the page's footnote references from text. In some PDFs, raised digits are in the same font size as the
    /// text: "flood.1 The".
    private func withoutMarks(_ text: String, _ page: Int) -> (text: String, names: [String]) {
        guard text.contains(where: \.isNumber) else { return (text, []) }
        // A footnote may be on the next page if there was not enough room for it.
        let known = (marks[page] ?? []).union(marks[page + 1] ?? [])
        var names: [String] = []
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> Substring in
            guard let mark = Self.mark(atEndOf: word), known.contains(mark) else { return word }
            names.append(mark)
            return word.dropLast(mark.count)
        }
        return (names.isEmpty ? text : words.joined(separator: " "), names)
    }

    /// Returns the digits after a period or a word, as in "flood.12".
    static func mark(atEndOf word: Substring) -> String? {
        let digits = word.reversed().prefix { $0.isASCII && $0.isNumber }
        guard (1...3).contains(digits.count) else { return nil }
        let rest = word.dropLast(digits.count)
        guard let last = rest.last else { return nil }
        let letters = rest.reversed().drop { ".,;:!?”\"’')]»…".contains($0) }
        guard letters.first.map({ $0.isLetter }) ?? false else { return nil }
        let isWord = letters.prefix { $0.isLetter }.count > 2
        return isWord || !last.isLetter ? String(digits.reversed()) : nil
    }

    /// Returns the footnotes to which a superscript refers, or nil if it is an exponent, an ending as in "1st", or
    /// other text.
    private func references(_ text: String, after before: String, _ page: Int) -> [String]? {
        let names = text.split { ",;– ".contains($0) }.map { String($0).trimmed { "[]()".contains($0) } }.filter {
            !$0.isEmpty
        }
        guard !names.isEmpty, names.allSatisfy({ Self.isMark($0) }) else { return nil }
        let known = marks[page] ?? []
        guard let last = before.last else { return nil }
        let word = before.reversed().prefix { $0.isLetter }
        let isNumber = last.isNumber && last.isASCII
        if names.allSatisfy(known.contains) {
            return isNumber && word.isEmpty && names.allSatisfy { ["2", "3"].contains($0) } ? nil : names
        }
        // A superscript letter is not a footnote reference. A number after one or two letters is the exponent of a
        // variable or unit.
        if names.contains(where: { $0.first.map { $0.isLetter } ?? false }) { return nil }
        return last.isLetter && word.count > 2 || ".,;:!?”\"’')]»…".contains(last) ? names : nil
    }

    /// Whether the text is a footnote number or symbol: "12", "*", "††", "a".
    static func isMark(_ text: String) -> Bool {
        guard let first = text.first, text.count <= 3 else { return false }
        if text.allSatisfy({ $0.isASCII && $0.isNumber }) { return true }
        return text.allSatisfy { $0 == first } && "*∗†‡§¶‖#".contains(first)
            || text.count == 1 && first.isASCII && first.isLowercase
    }

    // MARK: - Line ends

    /// Prepares the text for the next line. Removes a final hyphen if it only splits a word.
    ///
    /// - Returns: whether a space is needed between the lines.
    private func join(_ result: inout Text, _ next: String) -> Bool {
        guard let last = result.text.last, let first = next.first else { return false }
        if last.isWithoutSpaces && first.isWithoutSpaces { return false }
        guard last == "-" || last == "\u{2010}" || last == "\u{AD}" else {
            if last == "—" || last == "–" && result.text.dropLast().last?.isNumber == true && first.isNumber {
                return false
            }
            return !(last == "/" && result.text.dropLast().last != " ")
        }
        let left = String(
            result.text.dropLast().reversed().prefix { $0.isLetter || $0.isNumber || $0 == "-" }.reversed())
        let right = String(next.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "’" || $0 == "'" }).trimmed {
            $0 == "-"
        }
        guard !left.isEmpty, !right.isEmpty else { return left.isEmpty }
        if Self.conjunctions.contains(right.lowercased()) { return true }
        if !isDivided(left, right) {
            if last == "\u{AD}" {
                result.removeHyphen()
                result.text += "-"
            }
            return false
        }
        result.removeHyphen()
        return false
    }

    /// Words after a suspended hyphen, as in "two- or three-way".
    private static let conjunctions: Set = ["and", "or", "und", "oder", "bzw", "et", "ou", "y", "e", "o", "en", "of"]

    /// Whether a word was split at the end of a line. Returns false if the hyphen is part of the word.
    private func isDivided(_ left: String, _ right: String) -> Bool {
        let (one, other) = (left.lowercased(), right.lowercased())
        if words["\(one)-\(other)"] != nil { return false }
        if words[one + other] != nil { return true }
        guard let first = right.first, first.isLowercase, left.last?.isLetter == true else {
            // "Anglo-Saxon" and "1914-18" are not split words, but an all-caps word may be.
            return left.count > 1 && left == left.uppercased() && right == right.uppercased()
                && left.allSatisfy(\.isLetter)
        }
        let part = one.split(separator: "-").last.map(String.init) ?? one
        if part.count == 1 || one.contains("-") && words[part + other] == nil { return false }
        if Self.firstParts.contains(part) || Self.tens.contains(part) && Self.units.contains(where: other.hasPrefix) {
            return false
        }
        if Self.lastParts.contains(other) { return false }
        // Both parts occur as words in the document, and the joined word does not.
        let areWords = part.count > 3 && other.count > 3 && (words[part] ?? 0) > 0 && (words[other] ?? 0) > 0
        return !(areWords && !Self.closed.contains(part))
    }

    private static let tens: Set = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    private static let units = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "first", "second", "third", "fifth",
        "ninth",
    ]
    private static let firstParts: Set = [
        "well", "self", "half", "ex", "non", "all", "ill", "cross", "quasi", "vice", "great", "high", "low", "long",
        "short", "full", "first", "second", "third",
    ]
    private static let lastParts: Set = [
        "in-law", "known", "like", "minded", "based", "eyed", "haired", "year", "old", "century", "made", "born", "ce",
        "là", "ci", "vous", "nous", "moi", "il", "elle",
    ]
    /// First parts of compounds that are written without a hyphen.
    private static let closed: Set = [
        "some", "every", "with", "under", "over", "there", "where", "here", "when", "what", "fore", "after", "inter",
        "super", "anti", "counter", "back", "other", "never", "nothing", "head", "hand", "house", "land", "work",
        "life", "time", "side", "book", "news",
    ]
}

extension Character {
    /// Whether the character is Chinese or Japanese, and thus from a script without spaces.
    fileprivate var isWithoutSpaces: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x3001...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
