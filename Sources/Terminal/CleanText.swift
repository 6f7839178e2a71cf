import System

/// Makes text from outside harmless for a terminal: names from downloaded files, messages of servers and engines,
/// paths.
///
/// All code that writes to a terminal uses these two functions, so that text from outside cannot move the cursor,
/// change colours, reverse the reading order or fake a line.
package enum CleanText {
    /// One line: characters that steer a terminal, line breaks included, become spaces.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars; "…" replaces the rest.
    package static func line(_ text: String, limit: Int = .max) -> String {
        replaceSteering(in: shorten(text, to: limit), keepsLineFeeds: false)
    }

    /// Text of several lines: line feeds are kept, other characters that steer a terminal become spaces.
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
