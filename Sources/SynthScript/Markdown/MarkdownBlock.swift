/// A heading, a paragraph or another unit of a Markdown document that is read without a break.
package struct MarkdownBlock: Sendable {
    /// The kind of a block, which determines how it is read.
    package enum Kind: Equatable, Sendable {
        /// `level` is 1 for the highest level.
        case heading(level: Int)
        case paragraph
        /// `depth` starts at 1; `number` is the item's number in a numbered list.
        case item(depth: Int, number: Int?)
        /// A table row, or a part of it that forms one sentence.
        case row
        /// The description of an image that is not part of a paragraph.
        case picture
        /// Code, which is not spoken.
        case code
    }

    package var kind: Kind
    /// The spoken text, with its source positions.
    var text = MarkdownText()
    /// The number of an item, which is spoken first.
    var number = MarkdownText()
    /// The emphasized ranges of the text in UTF-8 bytes, in order.
    package var emphasis: [Range<Int>] = []
    package var isQuoted = false
    /// The name of the footnote, if the block is a footnote's text.
    package var note: String?
    /// The names of referenced footnotes.
    package var references: [String] = []
    /// The document position at which the block begins.
    package var start = 0
    /// The kind of break before the block; nil for the first one.
    var pause: PauseKind?
    /// The thematic break before the block.
    package var rule: Range<Int>?

    /// The spoken text, without the item number.
    package var words: [UInt8] { text.mapped.utf8 }
}

/// The spoken text of a block, with the positions of brackets that do not open a token.
struct MarkdownText: Sendable {
    var mapped = MappedText()
    /// The offsets of literal brackets in bytes, in ascending order.
    private(set) var literal: [Int] = []

    var isEmpty: Bool { mapped.isEmpty }

    /// Whether the text ends with a punctuation mark, so that no comma may follow.
    var endsWithMark: Bool {
        mapped.lastVisible.map { ".,;:!?…。．！？；：、，؟।".unicodeScalars.contains($0) } ?? false
    }

    /// Appends text that replaces a document range. If both have the same length, the text is mapped as two segments, so that it is
    /// not mistaken for a copy of the source.
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

    /// Marks the text starting at an offset as containing no tokens.
    mutating func protect(from start: Int) { literal += start..<mapped.count }

    mutating func append(_ other: MarkdownText) {
        literal += other.literal.map { $0 + mapped.count }
        mapped.append(other.mapped)
    }
}
