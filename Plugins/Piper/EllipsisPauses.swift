/// Gives an ellipsis inside a sentence the pause of a comma: Piper's voices were trained without a symbol for one, and the
/// words around it would run together ("so…maybe").
enum EllipsisPauses {
    private static let dot = UInt8(ascii: ".")
    private static let space = UInt8(ascii: " ")
    /// U+2026.
    private static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]

    /// The text with a comma and spaces for each ellipsis right before or between words; every other byte keeps its
    /// place.
    static func marked(_ text: String) -> String {
        guard text.contains("…") || text.contains("...") else { return text }
        var bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let end = endOfEllipsis(in: bytes, from: index)
            if end > index {
                // At the end of the text, and before other marks, espeak-ng knows what to do.
                if index > 0, isWord(bytes[index - 1]), let next = bytes[end...].first(where: { $0 != space }),
                    isWord(next)
                {
                    bytes[index] = UInt8(ascii: ",")
                    for place in index + 1..<end { bytes[place] = space }
                }
                index = end
            } else {
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Three full stops or more, or one character or more.
    private static func endOfEllipsis(in bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while bytes[end...].starts(with: ellipsis) { end += ellipsis.count }
        if end > start { return end }
        while end < bytes.count, bytes[end] == dot { end += 1 }
        return end - start >= 3 ? end : start
    }

    /// A letter or a digit; of other alphabets, any byte of theirs.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xE1, 0xE3...0xFF: true
        default: false
        }
    }
}
