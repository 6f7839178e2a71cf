/// What can be wrong with a text before anything is spoken. The description is for the user.
package enum TextError: Error, Equatable, Sendable {
    /// A byte that cannot stand there in UTF-8. `offset` counts the document's bytes from 0 and names the first byte of
    /// the malformed character.
    case invalidUTF8(offset: Int, byte: UInt8)
    /// The document ends inside a character that starts at `offset`.
    case truncatedUTF8(offset: Int)
    /// The document starts with the byte order mark of UTF-16.
    case utf16
}

extension TextError: CustomStringConvertible {
    /// What is wrong, and where.
    package var message: String {
        switch self {
        case .invalidUTF8(let offset, let byte):
            let digits = String(byte, radix: 16, uppercase: true)
            return
                "The text is not UTF-8: byte \(offset) is 0x\(byte < 16 ? "0" : "")\(digits), which cannot stand there."
        case .truncatedUTF8(let offset):
            return "The text ends inside a character: the one at byte \(offset) is not complete."
        case .utf16:
            return "The text is UTF-16, not UTF-8."
        }
    }

    /// What to type next.
    package var remedy: String {
        switch self {
        case .invalidUTF8: "If it is Latin-1, convert it first: iconv -f latin1 -t utf-8 FILE | synthhost speak"
        case .truncatedUTF8:
            "Pass the whole text, or leave the broken end out: iconv -c -t utf-8 FILE | synthhost speak"
        case .utf16: "Convert it first: iconv -f utf-16 -t utf-8 FILE | synthhost speak"
        }
    }

    package var description: String { "\(message) \(remedy)" }
}
