/// Plain text with tokens in brackets.
///
/// | token | effect |
/// |---|---|
/// | `[pause:0.5s]`, `[pause:500ms]` | silence, at most ten minutes |
/// | `[sfx:chime]`, `[sfx:door bell gain=-6dB channel=bed]` | a clip; `gain` from -100 to 100 dB |
/// | `[voice:Heart]` | switches to this voice until the next such token; `[voice:]` switches back to the script's main voice |
/// | `[mark:name]` | a named position that is reported to the listener |
/// | `[[həlˈoʊ]]` | a pronunciation in IPA |
///
/// The word before the colon is case-insensitive. Names may contain spaces, but no brackets, line breaks or control
/// characters, and are limited to 256 characters. A token must end on the line on which it starts. `\[` is a literal
/// bracket, and any other backslash is literal, so a token cannot directly follow a backslash. A bracket that does not
/// start a known token is text: `[1]`, `[note]`. All other text is treated as plain text, in which an empty line ends a
/// paragraph.
package struct TokenScript: ScriptReader {
    /// The minimum size, in bytes, of the portions in which the text is read. A portion never ends inside a token.
    private static let stretch = 16 << 10

    private let document: [UInt8]
    private var index: Int
    private var tokens = TokenReader()
    private var ready = ScriptPartList([])

    /// - Parameter document: UTF-8, at most 16 MiB, with or without a byte order mark.
    /// - Throws: an error with a position if the document is too long or is not UTF-8. The error for an invalid token
    ///   is thrown when the reader reaches it.
    package init(_ document: [UInt8]) throws(ScriptError) {
        self.document = document
        index = try ScriptDocument.check(document.span)
    }

    package mutating func next() throws(ScriptError) -> ScriptPart? {
        let document = document
        while true {
            if let part = ready.next() { return part }
            guard index < document.count else { return nil }
            let end = endOfStretch()
            var text = MappedText()
            text.append(copied: index..<end, of: document.span)
            index = end
            ready = ScriptPartList(try tokens.parts(of: text, in: document.span))
        }
    }

    /// Returns the end of the portion. It follows a line break, which ends every token, or a space that is certainly
    /// outside a token.
    private func endOfStretch() -> Int {
        var isInToken = false
        var end = index
        while end < document.count {
            let byte = document[end]
            end += 1
            if byte == UInt8(ascii: "[") {
                isInToken = true
            } else if byte == UInt8(ascii: "]") {
                isInToken = end < document.count && document[end] == byte
            } else if byte == 0x0A {
                isInToken = false
            } else if byte != 0x20 {
                continue
            }
            if !isInToken, end - index >= Self.stretch { return end }
        }
        return end
    }
}
