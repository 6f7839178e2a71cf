/// Text from outside made harmless for a terminal: names out of downloaded files, words of servers and engines, paths.
///
/// Whatever writes to a terminal uses these two functions, so that nothing from outside moves the cursor, changes
/// colours, reverses the reading order or forges a line.
package enum CleanText {
    /// One line: whatever steers a terminal, line breaks included, becomes a space.
    ///
    /// - Parameter limit: the most Unicode scalars that are kept; "…" stands for the rest.
    package static func line(_ text: String, limit: Int = .max) -> String {
        replaceSteering(in: shorten(text, to: limit), keepsLineFeeds: false)
    }

    /// Text of several lines: line feeds are kept, whatever else steers a terminal becomes a space.
    package static func lines(_ text: String) -> String {
        replaceSteering(in: text, keepsLineFeeds: true)
    }

    /// Whether a terminal does something else with it than show it: control characters, line and paragraph separators,
    /// marks and overrides of the reading order, annotations.
    package static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x206F, 0xFEFF,
            0xFFF9...0xFFFB:
            true
        default: false
        }
    }

    private static func replaceSteering(in text: String, keepsLineFeeds: Bool) -> String {
        let isBad: (Unicode.Scalar) -> Bool = { steers($0) && !(keepsLineFeeds && $0 == "\n") }
        guard text.unicodeScalars.contains(where: isBad) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isBad(scalar) ? " " : scalar) }
        return String(result)
    }

    private static func shorten(_ text: String, to limit: Int) -> String {
        guard limit < .max,
            let end = text.unicodeScalars.index(
                text.startIndex, offsetBy: limit, limitedBy: text.unicodeScalars.endIndex), end < text.endIndex
        else { return text }
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
