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
