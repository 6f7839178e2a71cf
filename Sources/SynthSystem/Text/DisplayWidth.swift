/// Measures text in terminal columns and fits text into them.
package enum DisplayWidth {
    /// Returns the width of one line in columns: 2 for each wide East Asian character or emoji, 0 for combining marks
    /// and controls, otherwise 1.
    package static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    package static func columns(_ character: Character) -> Int {
        var widest = 0
        var asksForEmoji = false
        for scalar in character.unicodeScalars {
            widest = max(widest, columns(scalar))
            asksForEmoji = asksForEmoji || scalar.value == 0xFE0F
        }
        let isFlag = character.unicodeScalars.count == 2 && character.unicodeScalars.allSatisfy(isRegionalIndicator)
        let isEmoji = asksForEmoji && character.unicodeScalars.first?.properties.isEmoji == true
        return isFlag || (isEmoji && widest > 0) ? 2 : widest
    }

    /// Returns the text, truncated with "…" if it does not fit.
    package static func truncate(_ text: String, to limit: Int) -> String {
        guard limit > 0 else { return "" }
        guard columns(text) > limit else { return text }
        var kept = ""
        var used = 0
        for character in text {
            let width = columns(character)
            if used + width > limit - 1 { break }
            used += width
            kept.append(character)
        }
        return kept + "…"
    }

    /// Pads the text to `width` columns with trailing spaces, or with leading spaces if `trailing` is false. Wider text
    /// is unchanged.
    package static func pad(_ text: String, to width: Int, trailing: Bool = true) -> String {
        let spaces = String(repeating: " ", count: max(0, width - columns(text)))
        return trailing ? text + spaces : spaces + text
    }

    /// Breaks text at spaces into lines of at most `width` columns; a longer word gets its own line.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if columns(line) + 1 + columns(String(word)) <= width {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return scalar.value == 0xAD ? 1 : 0
        default: break
        }
        // Vowels and final consonants of conjoining Hangul combine with the leading consonant.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    /// Wide and full-width ranges of Unicode's EastAsianWidth.txt; emoji are recognized by their Unicode property.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        if isRegionalIndicator(scalar) { return false }
        return scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }
}
