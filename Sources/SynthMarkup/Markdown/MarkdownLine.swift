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

/// The labels of a document: what a link's label means is said elsewhere in it, and so is what a footnote says.
struct MarkdownLabels {
    /// In bytes, as the library takes them.
    private static let longest = 1_000

    /// Labels of links that have an address, in one form.
    private var defined: Set<String> = []

    init(_ document: [UInt8], from start: Int) {
        var index = start
        while index < document.count {
            let (range, next) = MarkdownLine.range(at: index, of: document)
            defer { index = next }
            // It may stand in a quotation or an item.
            let text = document[range].drop { $0 == 0x20 || $0 == 0x09 || ">-*+".utf8.contains($0) }
            guard text.first == UInt8(ascii: "["), text.dropFirst().first != UInt8(ascii: "^"),
                let label = Self.label(at: text.startIndex, of: document[...])
            else { continue }
            let whole = LinkGrammar(bytes: Array(document[text.startIndex...].prefix(label.count + 4_096)))
            if whole.endOfDefinition(at: 0) != nil { defined.insert(Self.folded(document[label])) }
        }
    }

    /// Text after which the labels in some lines are links and signs of footnotes.
    ///
    /// A footnote in the lines is referred to, so that the library keeps it. One elsewhere is replaced by any: only its sign is
    /// not to be heard here.
    func appendix(to lines: [Range<Int>], of document: [UInt8]) -> [UInt8] {
        var appendix: [UInt8] = []
        var seen: Set<String> = []
        for line in lines {
            var index = line.lowerBound
            while let bracket = document[index..<line.upperBound].firstIndex(of: UInt8(ascii: "[")) {
                index = bracket + 1
                if let end = Self.endOfNote(at: bracket, of: document[..<line.upperBound]) {
                    let sign = document[bracket..<end]
                    let isDefinition = end < line.upperBound && document[end] == UInt8(ascii: ":")
                    let key = String(decoding: sign, as: UTF8.self).lowercased()
                    if isDefinition, seen.insert(key + ":").inserted { appendix += [0x0A] + sign + [0x0A] }
                    // The first definition counts.
                    if seen.insert(key).inserted { appendix += [0x0A] + sign + Array(": x\n".utf8) }
                } else if !defined.isEmpty, let label = Self.label(at: bracket, of: document[...]) {
                    let key = Self.folded(document[label])
                    guard defined.contains(key), seen.insert(key).inserted else { continue }
                    let written = document[label].map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
                    appendix += Array("\n[".utf8) + written + Array("]: x\n".utf8)
                }
            }
        }
        return appendix
    }

    /// The end of the sign of a footnote, `[^a]`.
    static func endOfNote(at start: Int, of bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes[start...].starts(with: "[^".utf8) else { return nil }
        var index = start + 2
        while index < bytes.endIndex, index - start <= longest {
            let byte = bytes[index]
            if byte == UInt8(ascii: "]") { return index > start + 2 ? index + 1 : nil }
            guard byte > 0x20, byte != UInt8(ascii: "[") else { return nil }
            index += 1
        }
        return nil
    }

    /// What stands in brackets.
    private static func label(at start: Int, of bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var index = start + 1
        while index < bytes.endIndex, index - start <= longest {
            switch bytes[index] {
            case UInt8(ascii: "]"): return index > start + 1 ? start + 1..<index : nil
            case UInt8(ascii: "["): return nil
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    private static func folded(_ label: ArraySlice<UInt8>) -> String {
        String(decoding: label, as: UTF8.self).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
