import System

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

    private static func replaceSteering(in text: String, keepsLineFeeds: Bool) -> String {
        let isBad: (Unicode.Scalar) -> Bool = { $0.steersTerminal && !(keepsLineFeeds && $0 == "\n") }
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
