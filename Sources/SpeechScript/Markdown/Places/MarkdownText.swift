/// The words of a block, and which of its brackets open no token.
struct MarkdownText {
    var mapped = MappedText()
    /// Bytes, in ascending order.
    private(set) var literal: [Int] = []

    var isEmpty: Bool { mapped.isEmpty }

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
