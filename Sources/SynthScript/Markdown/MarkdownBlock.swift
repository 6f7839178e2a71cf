/// A heading, a paragraph, …: what is heard of a Markdown document without a pause for the eye.
package struct MarkdownBlock: Sendable {
    package enum Kind: Equatable, Sendable {
        /// From 1, the highest.
        case heading(level: Int)
        case paragraph
        /// `depth` counts from 1; the number is the one that it has in a numbered list.
        case item(depth: Int, number: Int?)
        /// A row of a table, or as much of it as is one sentence.
        case row
        /// A picture's description alone.
        case picture
        /// It is not spoken.
        case code
    }

    package var kind: Kind
    /// What is said, with the places of all of it.
    var text = MarkdownText()
    /// The number of an item, which is said first.
    var number = MarkdownText()
    /// What of the text is stressed, in order, by its UTF-8 bytes.
    package var emphasis: [Range<Int>] = []
    package var isQuoted = false
    /// The name of the footnote whose text it is.
    package var note: String?
    /// The names of the footnotes that it refers to.
    package var references: [String] = []
    /// Where it begins in the document.
    package var start = 0
    /// What ends before it; nil if it is the first.
    var pause: PauseKind?
    /// The line across before it.
    package var rule: Range<Int>?

    /// What is said, without the number of an item.
    package var words: [UInt8] { text.mapped.utf8 }
}

/// The words of a block, and which of its brackets open no token.
struct MarkdownText: Sendable {
    var mapped = MappedText()
    /// Bytes, in ascending order.
    private(set) var literal: [Int] = []

    var isEmpty: Bool { mapped.isEmpty }

    /// Whether it ends with a mark, so that no comma may follow.
    var endsWithMark: Bool {
        mapped.lastVisible.map { ".,;:!?…。．！？；：、，؟।".unicodeScalars.contains($0) } ?? false
    }

    /// Appends text that stands for something else. If both have the same length, the text has its place in two pieces, so
    /// that it is not taken for the source.
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

    /// Marks what is appended from a length on as no token.
    mutating func protect(from start: Int) { literal += start..<mapped.count }

    mutating func append(_ other: MarkdownText) {
        literal += other.literal.map { $0 + mapped.count }
        mapped.append(other.mapped)
    }
}
