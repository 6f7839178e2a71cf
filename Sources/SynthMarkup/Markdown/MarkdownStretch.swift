import SynthScript

/// The source of a block without the signs of what is around it: what the library reads the block's text from.
struct MarkdownStretch {
    private(set) var bytes: [UInt8] = []
    /// Where pieces of it begin, here and in the document.
    private var pieces: [(here: Int, source: Int)] = []
    private var end: Int

    init(at offset: Int) { end = offset }

    mutating func append(_ range: Range<Int>, of document: Span<UInt8>) {
        guard !range.isEmpty else { return }
        pieces.append((bytes.count, range.lowerBound))
        bytes.reserveCapacity(bytes.count + range.count)
        for index in range { bytes.append(document[index]) }
        end = range.upperBound
    }

    /// The place of a byte in the document, or of the end.
    func source(of index: Int) -> Int {
        guard index < bytes.count else { return end }
        let piece = pieces[piece(of: index)]
        return piece.source + index - piece.here
    }

    /// A range in the document: from its first byte to the one after its last byte.
    func source(of range: Range<Int>) -> Range<Int> {
        let start = source(of: range.lowerBound)
        return range.isEmpty ? start..<start : start..<source(of: range.upperBound - 1) + 1
    }

    /// Copies a range to a text, with its places.
    func copy(_ range: Range<Int>, to text: inout MappedText) {
        guard !range.isEmpty else { return }
        var piece = piece(of: range.lowerBound)
        var start = range.lowerBound
        while start < range.upperBound {
            let border = piece + 1 < pieces.count ? pieces[piece + 1].here : bytes.count
            let stop = min(border, range.upperBound)
            let source = pieces[piece].source + start - pieces[piece].here
            text.append(Array(bytes[start..<stop]), for: source..<source + stop - start)
            start = stop
            piece += 1
        }
    }

    private func piece(of index: Int) -> Int {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].here <= index { low = middle } else { high = middle }
        }
        return low
    }
}

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
