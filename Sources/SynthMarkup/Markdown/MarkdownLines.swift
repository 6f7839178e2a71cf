/// The lines of a document, as CommonMark ends them: with a line feed, a carriage return, or both.
struct MarkdownLines {
    private var starts: [UInt32] = []
    private let end: Int
    private var endsOfLines: [UInt32] = []

    init(of document: Span<UInt8>, from first: Int) {
        end = document.count
        var start = first
        var index = first
        while index < document.count {
            let byte = document[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            add(start..<index - 1)
            if byte == 0x0D, index < document.count, document[index] == 0x0A { index += 1 }
            start = index
        }
        if start < document.count { add(start..<document.count) }
    }

    /// Some lines of a document.
    init(_ lines: [Range<Int>], end: Int) {
        self.end = end
        starts.reserveCapacity(lines.count)
        endsOfLines.reserveCapacity(lines.count)
        for line in lines { add(line) }
    }

    var count: Int { starts.count }

    /// The bytes of a line without its end; empty at the end of the document if there is no such line.
    subscript(line: Int) -> Range<Int> {
        starts.indices.contains(line) ? Int(starts[line])..<Int(endsOfLines[line]) : end..<end
    }

    private mutating func add(_ line: Range<Int>) {
        starts.append(UInt32(truncatingIfNeeded: line.lowerBound))
        endsOfLines.append(UInt32(truncatingIfNeeded: line.upperBound))
    }
}

/// The quotations and items around a place of a document, and what of a line belongs to them. The library says where a block
/// begins, and not where its later lines do.
struct MarkdownContainers {
    /// A place in a line. A tab may be used up in part: the column then is inside of it.
    struct Position {
        var offset: Int
        /// From 0, with tabs of four.
        var column = 0
        /// Whether a paragraph goes on here without all the signs and indents around it.
        var isLazy = false
    }

    private enum Kind {
        case quote
        /// Its later lines are indented by so many columns.
        case item(width: Int)
    }

    private struct Container {
        let kind: Kind
        let line: Int
        /// Where its content begins in its first line.
        let content: Position
    }

    private let lines: MarkdownLines
    private var containers: [Container] = []

    init(_ lines: MarkdownLines) { self.lines = lines }

    mutating func enterQuote(_ start: (line: Int, column: Int), of document: Span<UInt8>) {
        var position = self.start(of: start.line, in: document)
        _ = Self.takeQuote(&position, lines[start.line], document)
        containers.append(Container(kind: .quote, line: start.line, content: position))
    }

    /// - Returns: the place of the marker.
    mutating func enterItem(_ start: (line: Int, column: Int), of document: Span<UInt8>) -> Range<Int> {
        let line = lines[start.line]
        let outside = self.start(of: start.line, in: document)
        var position = outside
        while position.offset < line.upperBound, Self.isBlank(document[position.offset]) {
            Self.advance(&position, columns: 1, line, document)
        }
        let marker = position.offset
        while position.offset < line.upperBound, (0x30...0x39).contains(document[position.offset]) {
            Self.advance(&position, columns: 1, line, document)
        }
        Self.advance(&position, columns: 1, line, document)
        let end = position.offset
        let spaces = Self.indent(position, line, document)
        let padding = spaces.isBlank || spaces.columns > 4 ? 1 : spaces.columns
        let width = position.column - outside.column + padding
        if end < line.upperBound { Self.advance(&position, columns: min(padding, spaces.columns), line, document) }
        containers.append(Container(kind: .item(width: width), line: start.line, content: position))
        return marker..<end
    }

    mutating func leave() { _ = containers.popLast() }

    /// Where the text of a line begins after the signs of the quotations and the indents of the items around it. A line that
    /// goes on without them begins where the first is missing.
    func start(of line: Int, in document: Span<UInt8>) -> Position {
        let range = lines[line]
        var position = Position(offset: range.lowerBound)
        var rest = containers[...]
        if let known = containers.lastIndex(where: { $0.line == line }) {
            position = containers[known].content
            rest = containers[(known + 1)...]
        }
        for container in rest {
            switch container.kind {
            case .quote: guard Self.takeQuote(&position, range, document) else { return lazy(position) }
            case .item(let width):
                guard Self.indent(position, range, document).columns >= width else { return lazy(position) }
                Self.advance(&position, columns: width, range, document)
            }
        }
        return position
    }

    private func lazy(_ position: Position) -> Position {
        Position(offset: position.offset, column: position.column, isLazy: true)
    }

    private static func takeQuote(_ position: inout Position, _ line: Range<Int>, _ document: Span<UInt8>) -> Bool {
        let indent = indent(position, line, document)
        guard indent.columns <= 3, indent.end < line.upperBound, document[indent.end] == UInt8(ascii: ">") else {
            return false
        }
        advance(&position, columns: indent.columns + 1, line, document)
        if position.offset < line.upperBound, isBlank(document[position.offset]) {
            advance(&position, columns: 1, line, document)
        }
        return true
    }

    private static func indent(
        _ position: Position, _ line: Range<Int>, _ document: Span<UInt8>
    ) -> (columns: Int, end: Int, isBlank: Bool) {
        var at = position
        while at.offset < line.upperBound, isBlank(document[at.offset]) { advance(&at, columns: 1, line, document) }
        return (at.column - position.column, at.offset, at.offset >= line.upperBound)
    }

    private static func advance(
        _ position: inout Position, columns: Int, _ line: Range<Int>, _ document: Span<UInt8>
    ) {
        var left = columns
        while left > 0, position.offset < line.upperBound {
            let width = document[position.offset] == 0x09 ? 4 - position.column % 4 : 1
            if width <= left { position.offset += 1 }
            position.column += min(width, left)
            left -= min(width, left)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

extension Span<UInt8> {
    func bytes(of range: Range<Int>) -> [UInt8] { range.map { self[$0] } }

    func lastByte(of range: Range<Int>) -> UInt8? { range.isEmpty ? nil : self[range.upperBound - 1] }

    /// The first byte that is no space or tab; else the end of the range.
    func firstVisible(_ range: Range<Int>) -> Int {
        range.first { self[$0] != 0x20 && self[$0] != 0x09 } ?? range.upperBound
    }
}
