/// The rules for names that users give: a line of text that is safe in lists and on command lines.
package enum GivenName {
    /// In bytes of UTF-8.
    package static let longest = 200

    /// The rule, phrased to follow "must be".
    package static let expectation =
        "one line of text of at most \(longest) bytes, without control characters and with no dash in front"

    package static func isAllowed(_ name: String) -> Bool {
        // A name that begins with a dash would be read as an option.
        name.utf8.count <= longest && name.contains { !$0.isWhitespace } && !name.hasPrefix("-") && isOneLine(name)
    }

    /// Whether a text is one line without control characters.
    package static func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isForbidden) }

    /// Characters that break a line, steer a terminal or change the reading direction. Joiners are part of words in
    /// some scripts.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}
