/// A heading, a paragraph or any other part of a Markdown document that is read as a unit.
package struct MarkdownBlock: Sendable {
    /// The kind of a block, which determines how the block is read.
    package enum Kind: Equatable, Sendable {
        /// The top level is 1.
        case heading(level: Int)
        case paragraph
        /// `depth` starts at 1; `number` is the item's number in a numbered list.
        case item(depth: Int, number: Int?)
        /// A table row, or part of a row that forms a sentence.
        case row
        /// A paragraph that consists only of image descriptions.
        case picture
        /// Code, which is not spoken.
        case code
    }

    package var kind: Kind
    /// The spoken text and its source positions.
    var text = MarkdownText()
    /// The item's number, which is spoken before the text.
    var number = MarkdownText()
    /// The ranges of emphasized text, in UTF-8 bytes and in ascending order.
    package var emphasis: [Range<Int>] = []
    package var isQuoted = false
    /// The name of the footnote to which the block belongs, if any.
    package var note: String?
    /// The names of the footnotes that the block refers to.
    package var references: [String] = []
    /// The document offset at which the block begins.
    package var start = 0
    /// The kind of break before the block, or nil for the first block.
    var pause: PauseKind?
    /// The thematic break before the block.
    package var rule: Range<Int>?

    /// The spoken text, without the item number. A line feed is a hard line break, except in code.
    package var words: [UInt8] { text.mapped.utf8 }
}

/// The spoken text of a block and the positions of brackets that do not start a token.
struct MarkdownText: Sendable {
    var mapped = MappedText()
    /// The byte offsets of literal brackets, in ascending order.
    private(set) var literal: [Int] = []

    var isEmpty: Bool { mapped.isEmpty }

    /// Whether the text ends with a punctuation mark, after which no comma may follow.
    var endsWithMark: Bool {
        mapped.lastVisible.map { ".,;:!?…。．！？；：、，؟।".unicodeScalars.contains($0) } ?? false
    }

    /// Appends text that replaces a document range. If the text and the range have the same length, the text is mapped
    /// as two segments so that it is not mistaken for a copy of the source.
    mutating func append(_ text: [UInt8], insteadOf range: Range<Int>) {
        guard text.count == range.count, let first = text.first else { return mapped.append(text, for: range) }
        let length = UTF8Cursor.length(ofLead: first)
        if length < text.count {
            mapped.append(Array(text[..<length]), for: range)
            mapped.append(Array(text[length...]), for: range.upperBound..<range.upperBound)
        } else {
            mapped.append(text, for: range.lowerBound..<range.lowerBound)
        }
    }

    /// The text between the line feeds. Empty lines are omitted.
    var lines: [MarkdownText] {
        let bytes = mapped.utf8
        guard bytes.contains(0x0A) else { return [self] }
        var brackets = literal[...]
        return bytes.split(separator: 0x0A).map { line in
            var text = MarkdownText()
            text.mapped = mapped.slice(line.startIndex..<line.endIndex)
            brackets = brackets.drop { $0 < line.startIndex }
            text.literal = brackets.prefix { $0 < line.endIndex }.map { $0 - line.startIndex }
            return text
        }
    }

    /// Marks the text from an offset onward as literal, so that no tokens are recognized in it.
    mutating func protect(from start: Int) { literal += start..<mapped.count }

    mutating func append(_ other: MarkdownText) {
        literal += other.literal.map { $0 + mapped.count }
        mapped.append(other.mapped)
    }
}
