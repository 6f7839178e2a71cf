/// The settings at the head of a document that programs read and nobody hears.
enum FrontMatter {
    /// Where the text begins after settings in YAML: a first line `---`, a line that is not empty, and a later line `---` or
    /// `...`. Without all of these, where it began.
    static func end(of document: Span<UInt8>, from start: Int) -> Int {
        var line = line(at: start, of: document)
        guard isLine("---", line.text, document) else { return start }
        var isFirst = true
        while line.next < document.count {
            line = self.line(at: line.next, of: document)
            if isFirst, isLine("", line.text, document) { return start }
            isFirst = false
            if isLine("---", line.text, document) || isLine("...", line.text, document) { return line.next }
        }
        return start
    }

    private static func line(at start: Int, of document: Span<UInt8>) -> (text: Range<Int>, next: Int) {
        var end = start
        while end < document.count, document[end] != 0x0A, document[end] != 0x0D { end += 1 }
        var next = min(end + 1, document.count)
        if end < document.count, document[end] == 0x0D, next < document.count, document[next] == 0x0A { next += 1 }
        return (start..<end, next)
    }

    private static func isLine(_ text: StaticString, _ line: Range<Int>, _ document: Span<UInt8>) -> Bool {
        var end = line.upperBound
        while end > line.lowerBound, document[end - 1] == 0x20 || document[end - 1] == 0x09 { end -= 1 }
        guard end - line.lowerBound == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes in
            bytes.indices.allSatisfy { bytes[$0] == document[line.lowerBound + $0] }
        }
    }
}
