/// What stands at the beginning of a line.
extension MarkupScanner {
    /// Returns where the line's text begins.
    mutating func lineStart(_ start: Int) -> Int {
        var offset = start
        while offset < bytes.count, bytes[offset] == 0x20 { offset += 1 }
        guard let first = byte(offset) else { return start }
        switch first {
        case 0x23:  // # Heading
            let end = runEnd(offset)
            guard end - offset <= 6, byte(end) == 0x20 else { return start }
            return take(offset, end + 1)
        case 0x3E:  // > quote
            var end = offset
            while byte(end) == 0x3E || byte(end) == 0x20 { end += 1 }
            guard byte(offset + 1) == 0x20 || byte(offset + 1) == 0x3E else { return start }
            return take(offset, end)
        case 0x2D, 0x2A, 0x2B:  // - item
            guard byte(offset + 1) == 0x20, !isSpace(offset + 2) else { return start }
            // "- 5" may be a number; "+ 5" too.
            if let next = byte(offset + 2), (0x30...0x39).contains(next), first != 0x2A { return start }
            return take(offset, box(offset + 2))
        case 0x60, 0x7E:  // ``` fence
            let end = runEnd(offset)
            guard end - offset >= 3 else { return start }
            var lineEnd = end
            while let byte = byte(lineEnd), byte != 0x0A { lineEnd += 1 }
            let info = bytes[end..<lineEnd]
            // Only the name of a language may follow.
            guard info.count < 20, !info.contains(0x60), !info.contains(0x20) else { return start }
            return take(offset, lineEnd)
        case 0x7C: return tableRow(offset) ?? start
        default: return start
        }
    }

    private mutating func take(_ start: Int, _ end: Int) -> Int {
        remove(start..<end)
        return end
    }

    /// The end of `[ ]` or `[x]` and its space.
    private func box(_ offset: Int) -> Int {
        guard byte(offset) == 0x5B, byte(offset + 2) == 0x5D, byte(offset + 3) == 0x20 else { return offset }
        guard let mark = byte(offset + 1), mark == 0x20 || mark | 0x20 == 0x78 else { return offset }
        return offset + 4
    }

    /// `| a | b |`: the cells with commas between. A row that only draws lines is nothing.
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
        // The cells are looked at for other markup.
        return start + 1
    }
}
