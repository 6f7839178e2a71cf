/// An HTML tag in plain text, as in pasted web pages and the output of language models.
enum TextTag: Equatable {
    /// Not a tag, or a tag that does not affect sentences.
    case none
    /// The start tag of a block, such as `<p>` or `<h2 class="title">`.
    case blockStart
    /// The end tag of a block, such as `</p>`, with its length in bytes.
    case blockEnd(Int)
    /// The end tag of an inline element, such as `</em>`, with its length in bytes.
    case inlineEnd(Int)

    private static let longestName = 12
    private static let longestAttributes = 200
    private static let blocks: Set<String> = [
        "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "caption",
        "blockquote", "section", "article", "header", "footer", "figure", "figcaption", "details", "summary", "pre",
        "html", "body", "main", "aside", "nav", "form", "thead", "tbody", "tfoot", "center", "address",
    ]
    private static let inlines: Set<String> = [
        "a", "abbr", "b", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "small", "span",
        "strong", "sub", "sup", "u", "var",
    ]

    /// Reads the tag whose "<" is at `start`. Returns nil if more text is needed.
    static func read(at start: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> TextTag? {
        var cursor = start + 1
        let isEnd = cursor < end && bytes[cursor] == UInt8(ascii: "/")
        if isEnd { cursor += 1 }
        let first = cursor
        while cursor < end, cursor - first < longestName, isNamePart(bytes[cursor]) { cursor += 1 }
        guard cursor < end else { return isComplete ? TextTag.none : nil }
        let isClosed = bytes[cursor] == UInt8(ascii: ">")
        guard cursor > first, isClosed || !isEnd && bytes[cursor] == 0x20 else { return TextTag.none }
        let name = UTF8Cursor.string(first..<cursor, of: bytes).lowercased()
        let length = cursor + 1 - start
        if isEnd {
            return blocks.contains(name)
                ? .blockEnd(length) : inlines.contains(name) ? .inlineEnd(length) : TextTag.none
        }
        guard blocks.contains(name) else { return TextTag.none }
        if isClosed { return .blockStart }
        return hasAttributes(after: cursor, in: bytes, end: end, isComplete: isComplete).map {
            $0 ? .blockStart : .none
        }
    }

    /// Whether attributes and ">" follow, unlike in "3 <p or so". Returns nil if more text is needed.
    private static func hasAttributes(after start: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var hasValue = false
        for index in start..<min(end, start + longestAttributes) {
            switch bytes[index] {
            case UInt8(ascii: ">"): return hasValue
            case UInt8(ascii: "="): hasValue = true
            case UInt8(ascii: "<"), 0x0A, 0x0C: return false
            default: continue
            }
        }
        return isComplete || end >= start + longestAttributes ? false : nil
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x31...0x36).contains(byte)
    }
}

/// Tags in plain text. In text from a markup format, angle brackets have no special meaning.
extension SentenceScanner {
    /// The maximum number of bytes to search for words before a tag.
    private static let longestTags = 300

    /// Handles the "<" at the cursor within a sentence. The utterance ends before a tag that starts a block and may end
    /// at a tag that closes a block.
    mutating func takeTag(_ bytes: Span<UInt8>, end: Int, input: Input) -> Step {
        guard limits.isPlain, let start else { return .proceed }
        guard let tag = TextTag.read(at: cursor, in: bytes, end: end, isComplete: input != .open) else {
            return .needsMore
        }
        switch tag {
        case .none, .inlineEnd: return .proceed
        case .blockStart:
            return hasWords(from: start, in: bytes) ? .found(cut(at: cursor, pause: .sentence, in: bytes)) : .proceed
        case .blockEnd(let length):
            guard count + length <= limits.scalars, hasWords(from: start, in: bytes) else { return .proceed }
            gap = Gap(end: cursor + length, cause: .wide, dot: cursor)
            // The caller advances by one byte.
            cursor += length - 1
            count += length - 1
            return .proceed
        }
    }

    /// Handles the "<" at the cursor after a possible end of the utterance. Returns nil if there is no tag that affects
    /// sentences.
    mutating func takeTag(after gap: inout Gap, _ bytes: Span<UInt8>, end: Int, input: Input) -> Step? {
        guard limits.isPlain, gap.opening == nil else { return nil }
        guard let tag = TextTag.read(at: cursor, in: bytes, end: end, isComplete: input != .open) else {
            return .needsMore
        }
        switch tag {
        case .none: return nil
        case .blockStart: return gap.cause == .line ? nil : .found(cut(at: gap.end, pause: .sentence, in: bytes))
        case .inlineEnd(let length), .blockEnd(let length):
            guard count + length <= limits.scalars else { return nil }
            if case .blockEnd = tag { gap.cause = .wide }
            // A line that contains only a tag does not count as empty.
            gap.lineBreaks = 0
            gap.end = cursor + length
            cursor += length - 1
            count += length - 1
            return .proceed
        }
    }

    /// Whether the utterance contains anything besides tags and white space.
    private func hasWords(from start: Int, in bytes: Span<UInt8>) -> Bool {
        guard cursor - start < Self.longestTags else { return true }
        var isInTag = false
        for index in start..<cursor {
            switch bytes[index] {
            case UInt8(ascii: "<"): isInTag = true
            case UInt8(ascii: ">") where isInTag: isInTag = false
            case 0x20, 0x0A, 0x0C: continue
            default: if !isInTag { return true }
            }
        }
        return false
    }
}

extension SentenceScanner {
    /// Whether the line at the cursor is one of the short lines of a list or poem. Returns nil if more text is needed.
    mutating func beginsShortLine(_ gap: Gap, _ bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        guard limits.isPlain, gap.cause == .line, beganLine, let start else { return false }
        if shortLines == .unknown {
            guard let areShort = ShortLines.verdict(at: start, in: bytes, end: end, isComplete: isComplete) else {
                return nil
            }
            shortLines = areShort ? .yes : .no
        }
        guard shortLines == .yes else { return false }
        return ShortLines.continues(at: cursor, in: bytes, end: end, isComplete: isComplete)
    }
}

/// Short lines in plain text, as in a list, an address or a poem. Each line is an utterance.
///
/// A paragraph has such lines if its first four lines all begin with a capital letter or a digit and either are short
/// or end although the next word would have fit. Three lines are enough if all of them are very short. In wrapped text,
/// by contrast, a line can begin and end with any word, and ends only where the next word does not fit.
struct ShortLines {
    enum Verdict { case unknown, yes, no }

    /// The number of lines to examine, and the minimum number of lines in the paragraph.
    private static let examined = 4
    private static let required = 3
    /// The maximum length of a line in bytes, and line lengths below which text is hardly ever wrapped.
    private static let longest = 70
    private static let short = 45
    private static let veryShort = 32

    /// Examines the lines that start at `start`. Returns nil if more text is needed.
    static func verdict(at start: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var lines: [Range<Int>] = []
        var cursor = start
        while lines.count < examined {
            let first = cursor
            while cursor < end, bytes[cursor] != 0x0A, bytes[cursor] != 0x0C, cursor - first <= longest { cursor += 1 }
            guard cursor - first <= longest else { return false }
            guard cursor < end || isComplete else { return nil }
            guard let line = visible(first..<cursor, in: bytes) else { break }
            guard isLine(line, in: bytes) else { return false }
            if let last = lines.last, endsWithinPhrase(last, in: bytes) { return false }
            lines.append(line)
            if cursor == end || bytes[cursor] == 0x0C { break }
            cursor += 1
        }
        guard lines.count >= required else { return false }
        let width = lines.map(\.count).max() ?? 0
        if width < veryShort { return true }
        guard lines.count == examined else { return false }
        if width < short { return true }
        let early = zip(lines, lines.dropFirst()).count { $0.count + 1 + firstWord($1, in: bytes) <= width }
        return 2 * early >= lines.count - 1
    }

    /// Whether the line at a position continues a list or poem. Returns nil if more text is needed.
    static func continues(at start: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var cursor = start
        while cursor < end, bytes[cursor] != 0x0A, bytes[cursor] != 0x0C, cursor - start <= longest { cursor += 1 }
        guard cursor < end || isComplete || cursor - start > longest else { return nil }
        return cursor - start <= longest && isLine(start..<cursor, in: bytes)
    }

    /// Returns the line without white space at its ends, or nil if it is empty.
    private static func visible(_ line: Range<Int>, in bytes: Span<UInt8>) -> Range<Int>? {
        var line = line
        while let first = line.first, bytes[first] == 0x20 { line = first + 1..<line.upperBound }
        while let last = line.last, bytes[last] == 0x20 { line = line.lowerBound..<last }
        return line.isEmpty ? nil : line
    }

    /// Whether the line begins with a capital letter or a digit, contains a word, and is not the line with the times of
    /// a subtitle ("-->").
    private static func isLine(_ line: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var letters = 0
        var isFirst = true
        var index = line.lowerBound
        while index < line.upperBound {
            let (value, length) = UTF8Cursor.scalar(at: index, in: bytes)
            index += length
            if value == 0x3E, index - line.lowerBound > 2, bytes[index - 2] == UInt8(ascii: "-"),
                bytes[index - 3] == UInt8(ascii: "-")
            {
                return false
            }
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isLetter = value < 0x80 ? (0x61...0x7A).contains(value | 0x20) : scalar.properties.isAlphabetic
            if isFirst, isLetter || (0x30...0x39).contains(value) {
                if isLetter, !scalar.properties.isUppercase { return false }
                isFirst = false
            }
            if isLetter { letters += 1 }
        }
        return letters >= 3
    }

    /// Whether the last word is one after which a phrase continues, such as "the" or "und".
    private static func endsWithinPhrase(_ line: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        var first = line.upperBound
        while first > line.lowerBound, bytes[first - 1] != 0x20 { first -= 1 }
        let word = UTF8Cursor.string(first..<line.upperBound, of: bytes)
        return word.count <= 3 && word.first?.isLowercase == true && Abbreviations.starters.contains(word)
    }

    private static func firstWord(_ line: Range<Int>, in bytes: Span<UInt8>) -> Int {
        line.prefix { bytes[$0] != 0x20 }.count
    }
}
