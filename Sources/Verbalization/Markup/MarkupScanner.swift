/// Goes once through a text and collects what is markup. Bytes beyond ASCII are never part of it.
struct MarkupScanner {
    let bytes: [UInt8]
    var found: [Replacement] = []
    var isWithoutCommentEnd = false
    private var brackets: [Int] = []
    private var emphasis = EmphasisPairs()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func replacements() -> [Replacement] {
        var offset = 0
        var isLineStart = true
        while offset < bytes.count {
            if isLineStart {
                isLineStart = false
                let next = lineStart(offset)
                if next > offset {
                    offset = next
                    continue
                }
            }
            isLineStart = bytes[offset] == 0x0A
            offset = sign(at: offset)
        }
        found += emphasis.found
        found.sort { $0.range.lowerBound < $1.range.lowerBound }
        var end = 0
        return found.filter { replacement in
            guard replacement.range.lowerBound >= end else { return false }
            end = replacement.range.upperBound
            return true
        }
    }

    /// Looks at one sign. Returns where to go on.
    private mutating func sign(at offset: Int) -> Int {
        switch bytes[offset] {
        case 0x3C: return tag(at: offset) ?? offset + 1  // <
        case 0x26: return reference(at: offset) ?? offset + 1  // &
        case 0x5C: return escape(at: offset)  // \
        case 0x5B:  // [
            brackets.append(offset)
            return offset + 1
        case 0x5D: return linkEnd(at: offset)  // ]
        case 0x2A, 0x5F, 0x7E, 0x60: return marks(at: offset)  // * _ ~ `
        case 0x21, 0x3F: return shout(at: offset)  // ! ?
        case 0x2D, 0x3D, 0x23, 0x2B, 0x2E: return row(at: offset)  // - = # + .
        default: return offset + 1
        }
    }

    mutating func remove(_ range: Range<Int>, _ words: String = "", kind: String = "markup") {
        if !range.isEmpty { found.append(Replacement(range: range, words: words, kind: kind)) }
    }

    func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    func isSpace(_ offset: Int) -> Bool {
        guard let byte = byte(offset) else { return true }
        return byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Letters, digits and everything beyond ASCII.
    func isWord(_ offset: Int) -> Bool {
        guard let byte = byte(offset) else { return false }
        return byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// The end of a run of the same byte.
    func runEnd(_ offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] == bytes[offset] { end += 1 }
        return end
    }

    // MARK: - Signs

    private mutating func escape(at offset: Int) -> Int {
        guard let next = byte(offset + 1), [0x2A, 0x5F, 0x5B, 0x5D, 0x23, 0x60].contains(next) else {
            return offset + 1
        }
        remove(offset..<offset + 1)
        return offset + 2
    }

    /// `](address)`, with the bracket that it closes.
    private mutating func linkEnd(at offset: Int) -> Int {
        guard let open = brackets.popLast(), byte(offset + 1) == 0x28 else { return offset + 1 }
        var end = offset + 2
        while let byte = byte(end), byte != 0x29, byte != 0x5B, byte != 0x5D, byte != 0x0A { end += 1 }
        guard byte(end) == 0x29 else { return offset + 1 }
        let isImage = open > 0 && bytes[open - 1] == 0x21
        remove((isImage ? open - 1 : open)..<open + 1)
        remove(offset..<end + 1)
        return end + 1
    }

    /// Emphasis and code, or a row of stars.
    private mutating func marks(at offset: Int) -> Int {
        let end = runEnd(offset)
        let opens = !isSpace(end) && !isWord(offset - 1)
        let closes = !isSpace(offset - 1) && !isWord(end)
        if end - offset >= 3, isSpace(offset - 1), isSpace(end) {
            remove(offset..<end, kind: "punctuation")
        } else if end - offset <= 3 {
            emphasis.add(offset..<end, sign: bytes[offset], opens: opens, closes: closes)
        }
        return end
    }

    /// Several exclamation and question marks are one.
    private mutating func shout(at offset: Int) -> Int {
        var end = offset
        var asks = false
        while let byte = byte(end), byte == 0x21 || byte == 0x3F {
            asks = asks || byte == 0x3F
            end += 1
        }
        // "![" begins an image.
        if end < bytes.count, bytes[end] == 0x5B, bytes[end - 1] == 0x21 { return end }
        if end - offset > 1 { remove(offset..<end, asks ? "?" : "!", kind: "punctuation") }
        return end
    }

    /// Rows of the same sign.
    private mutating func row(at offset: Int) -> Int {
        let end = runEnd(offset)
        let count = end - offset
        if bytes[offset] == 0x2E {
            if count > 3 { remove(offset..<end, "…", kind: "punctuation") }
            return end
        }
        let isAlone = isSpace(offset - 1) && isSpace(end)
        if isAlone, count > 3 || count == 3 && bytes[offset] != 0x2D {
            remove(offset..<end, kind: "punctuation")
        } else if bytes[offset] == 0x2D, (2...3).contains(count), isWord(offset - 1) || isAlone {
            remove(offset..<end, isAlone ? "—" : " — ", kind: "punctuation")
        }
        return end
    }
}
