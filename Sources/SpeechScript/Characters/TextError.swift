/// What can be wrong with a text before anything is spoken.
package enum TextError: Error, Equatable, Sendable {
    /// A byte that cannot stand there in UTF-8. `offset` counts the document's bytes from 0 and names the first byte of
    /// the malformed character.
    case invalidUTF8(offset: Int, byte: UInt8)
    /// The document ends inside a character that starts at `offset`.
    case truncatedUTF8(offset: Int)
    /// The document starts with the byte order mark of UTF-16.
    case utf16
}
