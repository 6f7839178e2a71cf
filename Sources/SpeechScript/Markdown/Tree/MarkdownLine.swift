/// What a line looks like by itself.
struct MarkdownLine {
    let range: Range<Int>
    /// Of its first visible sign.
    let start: Int
    /// In columns.
    let indent: Int
    let hasPipe: Bool

    init(_ range: Range<Int>, of document: [UInt8]) {
        self.range = range
        var start = range.lowerBound
        var indent = 0
        while start < range.upperBound, document[start] == 0x20 || document[start] == 0x09 {
            indent += document[start] == 0x09 ? 4 - indent % 4 : 1
            start += 1
        }
        self.start = start
        self.indent = indent
        hasPipe = document[range].contains(UInt8(ascii: "|"))
    }

    var isBlank: Bool { start == range.upperBound }

    /// The line that begins at a byte, and where the next one does.
    static func range(at start: Int, of document: [UInt8]) -> (range: Range<Int>, next: Int) {
        let end = document[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? document.count
        let isPair = end + 1 < document.count && document[end] == 0x0D && document[end + 1] == 0x0A
        return (start..<end, min(document.count, end + (isPair ? 2 : 1)))
    }

    /// Where a line that is too long may be cut so that the rest begins no other block: in front of a word, or at least between
    /// two characters.
    static func end(ofPartOf range: Range<Int>, longest: Int, of document: [UInt8]) -> Int {
        var end = range.lowerBound + longest
        guard end < range.upperBound else { return range.upperBound }
        for place in stride(from: end, to: end - 4_096, by: -1) where document[place - 1] == 0x20 {
            let isWord = document[place] >= 0x80 || document[place] | 0x20 >= 0x61 && document[place] | 0x20 <= 0x7A
            let isSign = "*_`[!\"'".utf8.contains(document[place])
            if isWord || isSign && place + 1 < range.upperBound && document[place + 1] > 0x20 { return place }
        }
        while UTF8.isContinuation(document[end]) || document[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        return end
    }

    /// `[^a]:`
    func isNoteDefinition(_ document: [UInt8]) -> Bool {
        indent < 4
            && MarkdownLabels.endOfNote(at: start, of: document[..<range.upperBound]).map { end in
                end < range.upperBound && document[end] == UInt8(ascii: ":")
            } == true
    }

    func isItem(_ document: [UInt8]) -> Bool {
        let text = document[start..<range.upperBound]
        guard let first = text.first else { return false }
        var rest = text.dropFirst()
        if (0x30...0x39).contains(first) {
            rest = rest.drop { (0x30...0x39).contains($0) }
            guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ")") else { return false }
            rest = rest.dropFirst()
        } else if !"-*+".utf8.contains(first) {
            return false
        }
        return rest.first.map { $0 == 0x20 || $0 == 0x09 } ?? true
    }

    /// Whether it surely ends a paragraph before it.
    func beginsBlock(_ document: [UInt8]) -> Bool {
        guard !isBlank else { return false }
        return "#>".utf8.contains(document[start]) || isItem(document)
            || document[start..<range.upperBound].starts(with: "```".utf8)
    }

    func isTableDelimiter(_ document: [UInt8]) -> Bool {
        let text = document[range]
        return text.contains(UInt8(ascii: "-"))
            && text.allSatisfy { [UInt8(ascii: "|"), UInt8(ascii: "-"), UInt8(ascii: ":"), 0x20, 0x09].contains($0) }
    }

    func endsSentence(_ document: [UInt8]) -> Bool {
        document[range].last { $0 > 0x20 }.map { ".!?".utf8.contains($0) } ?? true
    }
}
