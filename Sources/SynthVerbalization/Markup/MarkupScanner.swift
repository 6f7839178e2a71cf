/// Scans text once and collects its markup. Non-ASCII bytes are never markup.
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

    /// Processes a character. Returns the offset at which scanning continues.
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
        case 0x21, 0x3F: return collapseMarks(at: offset)  // ! ?
        case 0x2D, 0x3D, 0x23, 0x2B, 0x2E, 0x2F: return row(at: offset)  // - = # + . /
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

    /// Whether the byte is a letter, a digit or non-ASCII.
    func isWord(_ offset: Int) -> Bool {
        guard let byte = byte(offset) else { return false }
        return byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// Returns the end of a run of the same byte.
    func runEnd(_ offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] == bytes[offset] { end += 1 }
        return end
    }

    // MARK: - Characters

    private mutating func escape(at offset: Int) -> Int {
        guard let next = byte(offset + 1), [0x2A, 0x5F, 0x5B, 0x5D, 0x23, 0x60].contains(next) else {
            return offset + 1
        }
        remove(offset..<offset + 1)
        return offset + 2
    }

    /// Removes the end of a link, `](address)`, and its opening bracket.
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

    /// Handles emphasis, code or a row of asterisks.
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

    /// Reduces repeated exclamation and question marks to a single mark.
    private mutating func collapseMarks(at offset: Int) -> Int {
        var end = offset
        var asks = false
        while let byte = byte(end), byte == 0x21 || byte == 0x3F {
            asks = asks || byte == 0x3F
            end += 1
        }
        // "![" starts an image.
        if end < bytes.count, bytes[end] == 0x5B, bytes[end - 1] == 0x21 { return end }
        if end - offset > 1 { remove(offset..<end, asks ? "?" : "!", kind: "punctuation") }
        return end
    }

    /// The length at which a row of identical characters is decoration even directly next to a word: "=====Title=====".
    private static let shortestDecoration = 5

    /// Removes a row of identical characters.
    private mutating func row(at offset: Int) -> Int {
        let end = runEnd(offset)
        let count = end - offset
        if bytes[offset] == 0x2E {
            if count > 3 { remove(offset..<end, "…", kind: "punctuation") }
            return end
        }
        let isAlone = isSpace(offset - 1) && isSpace(end)
        if count >= Self.shortestDecoration || isAlone && (count > 3 || count == 3 && bytes[offset] != 0x2D) {
            let isBetween = !isSpace(offset - 1) && !isSpace(end)
            remove(offset..<end, isBetween ? bytes[offset] == 0x2D ? " — " : " " : "", kind: "punctuation")
        } else if bytes[offset] == 0x2D, (2...3).contains(count), isWord(offset - 1) || isAlone {
            remove(offset..<end, isAlone ? "—" : " — ", kind: "punctuation")
        }
        return end
    }
}

/// Handles markup at the start of a line.
extension MarkupScanner {
    /// Returns the offset at which the line's text starts.
    mutating func lineStart(_ start: Int) -> Int {
        var offset = start
        while offset < bytes.count, bytes[offset] == 0x20 { offset += 1 }
        guard let first = byte(offset) else { return start }
        switch first {
        case 0x23:  // # Heading
            let end = runEnd(offset)
            guard end - offset <= 6, byte(end) == 0x20 else { return start }
            removeEnd(of: offset)
            return take(offset, end + 1)
        case 0x3E:  // > quote
            var end = offset
            while byte(end) == 0x3E || byte(end) == 0x20 { end += 1 }
            guard byte(offset + 1) == 0x20 || byte(offset + 1) == 0x3E else { return start }
            return take(offset, end)
        case 0x2D, 0x2A, 0x2B:  // - item
            guard byte(offset + 1) == 0x20 else { return start }
            if first == 0x2A, removeEnd(of: offset) { return take(offset, offset + 2) }
            guard !isSpace(offset + 2) else { return start }
            // "- 5" and "+ 5" may be numbers.
            if let next = byte(offset + 2), (0x30...0x39).contains(next), first != 0x2A { return start }
            return take(offset, box(offset + 2))
        case 0x60, 0x7E:  // ``` fence
            let end = runEnd(offset)
            guard end - offset >= 3 else { return start }
            var lineEnd = end
            while let byte = byte(lineEnd), byte != 0x0A { lineEnd += 1 }
            let info = bytes[end..<lineEnd]
            // Only the name of a programming language may follow the code fence.
            guard info.count < 20, !info.contains(0x60), !info.contains(0x20) else { return start }
            return take(offset, lineEnd)
        case 0x7C: return tableRow(offset) ?? start
        case 0x30...0x39: return cueTimes(offset).map { take(offset, $0) } ?? start
        default: return start
        }
    }

    /// Removes the character at the end of a line that begins with the same character, as in a box drawn with
    /// asterisks: "*  Open until noon  *".
    @discardableResult
    private mutating func removeEnd(of start: Int) -> Bool {
        var end = start
        while let byte = byte(end), byte != 0x0A { end += 1 }
        while end > start, isSpace(end - 1) { end -= 1 }
        var first = end
        while first > start + 2, bytes[first - 1] == bytes[start] { first -= 1 }
        guard first < end, first > start + 2, isSpace(first - 1) else { return false }
        while isSpace(first - 1) { first -= 1 }
        remove(first..<end, kind: "punctuation")
        return true
    }

    /// Returns the end of the number and times of a subtitle, as in "12 00:01:02,500 --> 00:01:04,000 Hello".
    private func cueTimes(_ start: Int) -> Int? {
        var offset = start
        while let byte = byte(offset), (0x30...0x39).contains(byte) { offset += 1 }
        if byte(offset) != nil, isSpace(offset) { offset += 1 } else { offset = start }
        let arrow = Array(" --> ".utf8)
        guard let first = time(offset), bytes[first...].starts(with: arrow), let end = time(first + arrow.count) else {
            return nil
        }
        return byte(end) != nil && isSpace(end) ? end + 1 : end
    }

    /// Returns the end of a time such as "00:01:02,500", or nil if there is none.
    private func time(_ start: Int) -> Int? {
        var offset = start
        while let byte = byte(offset), (0x30...0x39).contains(byte) || [0x3A, 0x2C, 0x2E].contains(byte),
            offset - start < 13
        { offset += 1 }
        let time = bytes[min(start, offset)..<offset]
        return time.count >= 9 && time.contains(0x3A) && [0x2C, 0x2E].contains(time[offset - 4]) ? offset : nil
    }

    private mutating func take(_ start: Int, _ end: Int) -> Int {
        remove(start..<end)
        return end
    }

    /// Returns the end of a checkbox, `[ ]` or `[x]`, including the space after it.
    private func box(_ offset: Int) -> Int {
        guard byte(offset) == 0x5B, byte(offset + 2) == 0x5D, byte(offset + 3) == 0x20 else { return offset }
        guard let mark = byte(offset + 1), mark == 0x20 || mark | 0x20 == 0x78 else { return offset }
        return offset + 4
    }

    /// Replaces the bars of a table row, `| a | b |`, with commas. Removes a delimiter row.
    private mutating func tableRow(_ start: Int) -> Int? {
        var end = start
        var isLine = true
        while let byte = byte(end), byte != 0x0A {
            if ![0x7C, 0x2D, 0x3A, 0x20, 0x3D].contains(byte) { isLine = false }
            end += 1
        }
        var last = end
        while last > start, isSpace(last - 1) { last -= 1 }
        guard last > start + 1, bytes[last - 1] == 0x7C else { return nil }
        if isLine {
            remove(start..<last)
            return end
        }
        for offset in start..<last where bytes[offset] == 0x7C {
            let isOuter = offset == start || offset == last - 1
            remove(offset..<offset + 1, isOuter ? "" : ",")
        }
        // Continue with the cells, which may contain other markup.
        return start + 1
    }
}

/// Matches an opening emphasis mark with the next closing mark of the same type and length.
struct EmphasisPairs {
    private(set) var found: [Replacement] = []
    private var open: [Key: Range<Int>] = [:]

    private struct Key: Hashable {
        let sign: UInt8
        let count: Int
    }

    mutating func add(_ range: Range<Int>, sign: UInt8, opens: Bool, closes: Bool) {
        // A single tilde is not markup.
        guard sign != 0x7E || range.count == 2 else { return }
        let key = Key(sign: sign, count: range.count)
        if closes, let opening = open.removeValue(forKey: key) {
            found.append(Replacement(range: opening, words: "", kind: "markup"))
            found.append(Replacement(range: range, words: "", kind: "markup"))
        } else if opens {
            open[key] = range
        }
    }
}
