/// White space between words, as a script counts it: that of XML, and every other character that breaks a line or that
/// nobody can say (control characters, byte order marks), because the text of a part holds none of them.
enum SSMLBlank {
    /// The length of the blank character at a place; 0 = there is another one.
    static func length(at index: Int, before end: Int, in bytes: Span<UInt8>) -> Int {
        let byte = bytes[index]
        if byte <= 0x20 || byte == 0x7F { return 1 }
        if byte == 0xC2, end - index >= 2, bytes[index + 1] < 0xA0 { return 2 }
        guard byte == 0xE2 || byte == 0xEF, end - index >= 3 else { return 0 }
        let isSeparator = byte == 0xE2 && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8
        let isMark = byte == 0xEF && bytes[index + 1] == 0xBB && bytes[index + 2] == 0xBF
        return isSeparator || isMark ? 3 : 0
    }

    /// The next blank character after a place, or `end`.
    static func next(after index: Int, before end: Int, in bytes: Span<UInt8>) -> Int {
        var index = index + 1
        while index < end, length(at: index, before: end, in: bytes) == 0 { index += 1 }
        return index
    }

    /// The same text with one space for each run of white space, and none at its ends.
    static func collapsed(_ text: [UInt8]) -> [UInt8] {
        var collapsed: [UInt8] = []
        var index = 0
        while index < text.count {
            let blank = length(at: index, before: text.count, in: text.span)
            if blank > 0 {
                index += blank
                continue
            }
            let end = next(after: index, before: text.count, in: text.span)
            if !collapsed.isEmpty { collapsed.append(0x20) }
            collapsed += text[index..<end]
            index = end
        }
        return collapsed
    }
}
