/// A name as somebody may give one: a line of text that a list can show and a shell can be told.
package enum GivenName {
    /// In bytes of UTF-8.
    package static let longest = 200

    /// What a name must be, to follow "must be".
    package static let expectation =
        "one line of text of at most \(longest) bytes, without control characters and with no dash in front"

    package static func isAllowed(_ name: String) -> Bool {
        // What begins with a dash would be read as an option.
        name.utf8.count <= longest && name.contains { !$0.isWhitespace } && !name.hasPrefix("-") && isOneLine(name)
    }

    /// Whether a text shows as what it is, on the line that it stands in.
    package static func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isForbidden) }

    /// What breaks a line, steers a terminal or turns the direction of reading. Joiners are letters in some scripts.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}
