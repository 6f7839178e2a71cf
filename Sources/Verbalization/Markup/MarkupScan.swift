/// Tells quickly whether a text may hold markup, so that plain sentences cost next to nothing.
enum MarkupScan {
    static func hasWork(_ text: Span<UInt8>) -> Bool {
        var isLineStart = true
        var hasWords = false
        for offset in 0..<text.count {
            let byte = text[offset]
            switch byte {
            // Of the signs beyond ASCII, those that begin with C2 and E2 may be punctuation.
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC3...0xE1, 0xE3...: hasWords = true
            case 0x20: continue
            case 0x0A:
                isLineStart = true
                continue
            // < & \ [ ] * ~ _ `
            case 0x3C, 0x26, 0x5C, 0x5B, 0x5D, 0x2A, 0x7E, 0x5F, 0x60: return true
            // # > - + |
            case 0x23, 0x3E, 0x2D, 0x2B, 0x7C:
                if isLineStart || isRow(text, offset) { return true }
            // ! ? = .
            case 0x21, 0x3F, 0x3D, 0x2E:
                if isRow(text, offset) { return true }
            default: break
            }
            isLineStart = false
        }
        return !hasWords
    }

    /// Whether the next sign is the same, or another one of ! and ?
    private static func isRow(_ text: Span<UInt8>, _ offset: Int) -> Bool {
        guard offset + 1 < text.count else { return false }
        let (sign, next) = (text[offset], text[offset + 1])
        return next == sign || (sign == 0x21 && next == 0x3F) || (sign == 0x3F && next == 0x21)
    }
}
