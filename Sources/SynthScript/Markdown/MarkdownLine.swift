/// The properties of a line that do not depend on the lines around it.
struct MarkdownLine {
    /// The maximum nesting depth of quotations and list items.
    static let deepest = 100

    /// The line without its line ending.
    private(set) var range = 0..<0
    private(set) var next = 0
    /// The start of the line's text, after quotation markers and spaces.
    private(set) var start = 0
    /// The line's byte offset in the text that the library parses.
    var copy = 0
    private(set) var isBlank = true
    /// The number of characters that could be markup.
    private(set) var marks = 0
    /// The number of closing brackets.
    private(set) var brackets = 0
    private(set) var pipes = 0
    /// Whether the line may contain a footnote marker or the start of a comment.
    private(set) var hasNote = false
    private(set) var hasComment = false
    /// Whether the line consists only of dashes, bars, colons and spaces.
    private(set) var isOfDashes = true

    init(at first: Int, of document: Span<UInt8>) {
        var index = first
        var start: Int?
        var last: UInt8 = 0
        while index < document.count {
            let byte = document[index]
            if byte == 0x0A || byte == 0x0D { break }
            if byte != 0x20, byte != 0x09 {
                if byte != UInt8(ascii: ">") {
                    start = start ?? index
                    if byte != UInt8(ascii: "-"), byte != UInt8(ascii: "|"), byte != UInt8(ascii: ":") {
                        isOfDashes = false
                    }
                }
                isBlank = false
                if Self.isMark(byte) { note(byte, after: last) }
            }
            last = byte
            index += 1
        }
        range = first..<index
        self.start = start ?? index
        next = document.has("\r\n", at: index) ? index + 2 : min(index + 1, document.count)
    }

    private mutating func note(_ byte: UInt8, after last: UInt8) {
        marks += 1
        switch byte {
        case UInt8(ascii: "]"): brackets += 1
        case UInt8(ascii: "|"): pipes += 1
        case UInt8(ascii: "^"): if last == UInt8(ascii: "[") { hasNote = true }
        case UInt8(ascii: "!"): if last == UInt8(ascii: "<") { hasComment = true }
        default: break
        }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "."): false
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the bullet at the start of the line.
    func bullet(_ document: Span<UInt8>) -> UInt8? {
        guard start < range.upperBound, start + 1 == range.upperBound || Self.isBlank(document[start + 1]) else {
            return nil
        }
        return "-+*".utf8.contains(document[start]) ? document[start] : nil
    }

    /// Whether the line definitely begins a list item and thus ends a paragraph.
    func beginsItem(_ document: Span<UInt8>) -> Bool {
        guard bullet(document) != nil, start - range.lowerBound < 4 else { return false }
        return document.firstVisible(start + 1..<range.upperBound) < range.upperBound
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    // MARK: Tables

    /// Returns the number of columns if this line is the delimiter row below the table header `head`; otherwise,
    /// returns nil. `isPlain` is true if each column has at least three dashes, so that all versions of the library
    /// recognize the row.
    func columns(below head: MarkdownLine, in document: Span<UInt8>) -> (count: Int, isPlain: Bool)? {
        guard isOfDashes, pipes > 0, head.pipes > 0 else { return nil }
        var (columns, dashes, colons) = (0, 0, 0)
        var isPlain = true
        var isFirst = true
        for index in start..<range.upperBound {
            switch document[index] {
            case UInt8(ascii: "|"):
                if dashes > 0 { columns += 1 } else if !isFirst { return nil }
                if dashes > 0, dashes < 3 { isPlain = false }
                (dashes, colons, isFirst) = (0, 0, false)
            case UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: ":"): colons += 1
            default: break
            }
            guard colons <= 2 else { return nil }
        }
        if dashes > 0 { columns += 1 }
        if dashes > 0, dashes < 3 { isPlain = false }
        return columns > 0 && columns == head.cells(in: document) ? (columns, isPlain) : nil
    }

    private func cells(in document: Span<UInt8>) -> Int {
        var (cells, isEscaped, hasText) = (0, false, false)
        var first = start
        if let sign = bullet(document), sign != 0 { first = document.firstVisible(start + 1..<range.upperBound) }
        for index in first..<range.upperBound {
            let byte = document[index]
            if byte == UInt8(ascii: "|"), !isEscaped {
                if index > first { cells += 1 }
                hasText = false
            } else if !Self.isBlank(byte) {
                hasText = true
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return hasText ? cells + 1 : cells
    }

    // MARK: Depth

    /// Returns an upper bound for the nesting depth of quotations and list items on the line.
    func depth(in document: Span<UInt8>) -> Int {
        var depth = 0
        var index = range.lowerBound
        func isBlank(_ index: Int) -> Bool { index >= range.upperBound || Self.isBlank(document[index]) }
        var dashes: Int?
        while index < range.upperBound {
            let byte = document[index]
            switch byte {
            case 0x20, 0x09: index += 1
            case UInt8(ascii: ">"):
                depth += 1
                index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
                guard isBlank(index + 1) else { return depth }
                // If the rest of the line repeats this character, the line is a thematic break, not a list.
                let start = dashes ?? startOfBreak(byte, document)
                dashes = start
                guard index < start else { return depth }
                depth += 1
                index += 1
            case 0x30...0x39:
                var end = index
                while end < range.upperBound, (0x30...0x39).contains(document[end]) { end += 1 }
                let isMarker =
                    end < range.upperBound && (document[end] == UInt8(ascii: ".") || document[end] == UInt8(ascii: ")"))
                guard isMarker, isBlank(end + 1) else { return depth }
                depth += 1
                index = end + 1
            default: return depth
            }
        }
        return depth
    }

    /// Returns the start of the run of `sign` and white space at the end of the line, or the end of the line if the run
    /// is too short for a thematic break.
    private func startOfBreak(_ sign: UInt8, _ document: Span<UInt8>) -> Int {
        var start = range.upperBound
        var signs = 0
        guard sign != UInt8(ascii: "+") else { return start }
        while start > range.lowerBound {
            let byte = document[start - 1]
            guard byte == sign || Self.isBlank(byte) else { break }
            if byte == sign { signs += 1 }
            start -= 1
        }
        return signs >= 3 ? start : range.upperBound
    }
}

extension Span<UInt8> {
    /// Returns the index of the first byte other than a space or tab, or the end of the range if there is none.
    func firstVisible(_ range: Range<Int>) -> Int {
        range.first { self[$0] != 0x20 && self[$0] != 0x09 } ?? range.upperBound
    }
}
