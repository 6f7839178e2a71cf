/// A row of a table while it is read.
struct TableRow {
    /// What is said of it.
    var text = MarkdownText()
    /// The place of the bar before the cell.
    private(set) var border: Int
    private var rest: Range<Int>

    /// - Parameter line: of the row, without the signs around the table.
    init(_ line: Range<Int>, of document: Span<UInt8>) {
        rest = line
        border = line.lowerBound
        skipBlank(document)
    }

    /// Whether what is said so far ends with a mark, so that no comma may follow.
    var endsSentence: Bool {
        guard let last = text.mapped.lastVisible else { return false }
        return ".,;:!?…。．！？；：、،؟।".unicodeScalars.contains(last)
    }

    /// The source of the next cell. A bar after a backslash stands for itself.
    mutating func next(of document: Span<UInt8>) -> MarkdownStretch {
        if rest.lowerBound < rest.upperBound, document[rest.lowerBound] == UInt8(ascii: "|") {
            border = rest.lowerBound
            rest = rest.lowerBound + 1..<rest.upperBound
        }
        skipBlank(document)
        var stretch = MarkdownStretch(at: rest.lowerBound)
        var first = rest.lowerBound
        var index = first
        while index < rest.upperBound {
            if document[index] == UInt8(ascii: "|") {
                guard index > rest.lowerBound, document[index - 1] == UInt8(ascii: "\\") else { break }
                stretch.append(first..<index - 1, of: document)
                first = index
            }
            index += 1
        }
        stretch.append(first..<index, of: document)
        rest = index..<rest.upperBound
        return stretch
    }

    private mutating func skipBlank(_ document: Span<UInt8>) {
        var start = rest.lowerBound
        while start < rest.upperBound, document[start] == 0x20 || document[start] == 0x09 { start += 1 }
        rest = start..<rest.upperBound
    }
}
