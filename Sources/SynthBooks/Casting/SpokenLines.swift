/// A passage of direct speech in a paragraph of a book.
struct SpokenLine: Equatable, Sendable {
    /// The byte range in the paragraph's text, including the quotation marks.
    let range: Range<Int>
    /// The speaker, or nil if the paragraph does not name them.
    var speaker: String?
}

/// Finds direct speech in a paragraph by its quotation marks or dashes. Identifies the speaker by a name next to a verb
/// such as "said".
struct SpokenLines {
    private(set) var lines: [SpokenLine]

    private struct Position {
        let character: Character
        let offset: Int
    }
    private typealias Quote = Range<Int>

    init(in text: String) {
        var (positions, offset) = ([Position](), 0)
        for character in text {
            positions.append(Position(character: character, offset: offset))
            offset += String(character).utf8.count
        }
        let end = offset
        let characters = positions.map(\.character)
        var quotes = Self.quotations(characters)
        if quotes.isEmpty { quotes = Self.dashed(characters) }
        func bytes(_ range: Range<Int>) -> Range<Int> {
            positions[range.lowerBound]
                .offset..<(range.upperBound < positions.count ? positions[range.upperBound].offset : end)
        }
        lines = quotes.enumerated().map { index, quote in
            let next = index + 1 < quotes.count ? quotes[index + 1].lowerBound : characters.count
            let last = index == 0 ? 0 : quotes[index - 1].upperBound
            // If the quotation ends with a period and a capitalized word follows, that word begins a new sentence,
            // which does not name the speaker.
            let isOver =
                characters[quote].dropLast().last == "."
                && characters[quote.upperBound..<next].first { !$0.isWhitespace }?.isUppercase ?? false
            let after = isOver ? nil : SpeakerName.after(String(characters[quote.upperBound..<next]))
            let name =
                after ?? SpeakerName.before(String(characters[last..<quote.lowerBound]))
                ?? ("—–―«".contains(characters[quote.lowerBound]) ? SpeakerName.inside(String(characters[quote])) : nil)
            return SpokenLine(range: bytes(quote), speaker: name)
        }
        // All lines in a paragraph usually have the same speaker.
        if let known = lines.compactMap(\.speaker).first {
            for index in lines.indices where lines[index].speaker == nil { lines[index].speaker = known }
        }
    }

    /// Opening quotation marks, each with the marks that can close it.
    private static let marks: [Character: Set<Character>] = [
        "“": ["”"], "„": ["“", "”", "\""], "«": ["»"], "»": ["«"], "‹": ["›"], "›": ["‹"], "「": ["」"], "『": ["』"],
        "\"": ["\""], "‘": ["’"], "‚": ["‘", "’"], "”": ["”"],
    ]

    private static func quotations(_ text: [Character]) -> [Quote] {
        var found: [Quote] = []
        // The opening marks for which the remaining text contains no closing mark.
        var unclosed: Set<Character> = []
        var index = 0
        while index < text.count {
            let mark = text[index]
            guard let closing = marks[mark], !unclosed.contains(mark), opens(text, at: index) else {
                index += 1
                continue
            }
            let end = end(of: text, from: index, closing)
            if end == nil { unclosed.insert(mark) }
            // A quotation that continues in the next paragraph has no closing mark.
            guard let end = end ?? ("“«„".contains(mark) ? text.count - 1 : nil) else {
                index += 1
                continue
            }
            let isOpen = !closing.contains(text[end]) && ".,!?…—–;".contains(text[end])
            if isOpen || isSaid(text, index...end) { found.append(index..<end + 1) }
            index = end + 1
        }
        return found
    }

    private static func end(of text: [Character], from start: Int, _ closing: Set<Character>) -> Int? {
        let first = text[(start + 1)...].indices.first { closing.contains(text[$0]) && closes(text, at: $0) }
        guard text[start] == "‘", let first, text[first - 1].isLetter else { return first }
        // An apostrophe can look like a closing mark ("the boys’ room"). Among the marks before the next quotation, a mark that follows
        // punctuation is more likely to close this quotation.
        let limit = text[first...].firstIndex(of: "‘") ?? text.count
        return text[first..<limit].indices.first { text[$0] == "’" && ".,!?…—–".contains(text[$0 - 1]) } ?? first
    }

    private static func opens(_ text: [Character], at index: Int) -> Bool {
        guard index + 1 < text.count, !text[index + 1].isWhitespace || text[index] == "«" else { return false }
        guard index > 0 else { return true }
        let before = text[index - 1]
        return before.isWhitespace || "([—–-¿¡:".contains(before)
    }

    /// Whether the mark closes the quotation rather than being an apostrophe.
    private static func closes(_ text: [Character], at index: Int) -> Bool {
        guard "’‘\"".contains(text[index]), index + 1 < text.count else { return true }
        return !text[index + 1].isLetter && !text[index + 1].isNumber
    }

    /// Whether a quotation is speech rather than just a quoted word. Speech begins the paragraph, ends like a sentence,
    /// or is next to a comma or colon.
    private static func isSaid(_ text: [Character], _ range: ClosedRange<Int>) -> Bool {
        if range.lowerBound == 0 { return true }
        if let last = text[range].dropLast().last(where: { !$0.isWhitespace }), ".,!?…—–;".contains(last) {
            return true
        }
        if range.upperBound + 1 < text.count, text[range.upperBound + 1] == "," { return true }
        let before = text[..<range.lowerBound].last { !$0.isWhitespace }
        return before.map { ":,".contains($0) } ?? false
    }

    /// Finds the speech in a paragraph that begins with a dash. In such a paragraph, speech and narration alternate,
    /// separated by dashes.
    private static func dashed(_ text: [Character]) -> [Quote] {
        guard let first = text.first, "—–―".contains(first) else { return [] }
        var cuts = [0]
        for index in text.indices.dropFirst() where "—–―".contains(text[index]) {
            let isLoose = text[index - 1].isWhitespace || index + 1 < text.count && !text[index + 1].isLetter
            let isSpeech = cuts.count.isMultiple(of: 2) == false
            if isLoose, !isSpeech || endsSpeech(text, at: index) { cuts.append(index) }
        }
        cuts.append(text.count)
        return zip(cuts, cuts.dropFirst()).enumerated().filter { $0.offset.isMultiple(of: 2) }.map { part in
            var end = part.element.1
            while end > part.element.0 + 1, text[end - 1].isWhitespace { end -= 1 }
            return part.element.0..<end
        }
    }

    /// Whether narration follows the dash, as in "— Иди, — сказала Мария", "—Ven —dijo María" and "— Chodź — powiedziała Zofia", but not in
    /// "— Я — студент".
    private static func endsSpeech(_ text: [Character], at index: Int) -> Bool {
        let before = text[..<index].last { !$0.isWhitespace }
        if let before, ",.!?…;:»".contains(before) { return true }
        if index + 1 < text.count, !text[index + 1].isWhitespace { return true }
        return SpeakerName.beginsWithVerb(String(text[(index + 1)...].prefix(60)))
    }
}
