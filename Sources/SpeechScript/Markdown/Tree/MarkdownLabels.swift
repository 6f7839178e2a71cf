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
