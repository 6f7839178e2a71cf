/// Why a text cannot be read.
package enum TextError: Error, Equatable, Sendable {
    /// A byte that is invalid at its place in UTF-8. `offset` is the offset in the document of the first byte of the
    /// malformed character.
    case invalidUTF8(offset: Int, byte: UInt8)
    /// The document ends inside a character that starts at `offset`.
    case truncatedUTF8(offset: Int)
    /// The document starts with the byte order mark of UTF-16.
    case utf16
}
