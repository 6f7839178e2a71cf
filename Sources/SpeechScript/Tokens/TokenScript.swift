/// Plain text with tokens in brackets.
///
/// | token | what it does |
/// |---|---|
/// | `[pause:0.5s]`, `[pause:500ms]` | silence, at most ten minutes |
/// | `[sfx:chime]`, `[sfx:door bell gain=-6dB channel=bed]` | a clip; `gain` from -100 to 100 dB |
/// | `[voice:Heart]` | another voice, up to the next such token; `[voice:]` is the voice of the whole script |
/// | `[mark:name]` | a place that a listener wants to be told of |
/// | `[[həlˈoʊ]]` | a pronunciation in IPA |
///
/// A word before a colon is taken in any case. Names may hold spaces, and no brackets, line breaks or control characters;
/// they have at most 256 characters. A token ends on its line. `\[` is a bracket that opens nothing; any other backslash
/// is itself, so that a backslash cannot stand directly before a token. A bracket that opens no known word is text: `[1]`,
/// `[note]`. All other text is as in a plain document: an empty line ends a paragraph.
package enum TokenScript {
    /// - Parameter document: UTF-8, at most 16 MiB, with or without a byte order mark.
    /// - Returns: the parts in order; nothing for an empty document. The work is linear.
    /// - Throws: a known token that cannot be read, and its place.
    package static func parts(of document: Span<UInt8>) throws(ScriptError) -> [ScriptPart] {
        let start = try ScriptDocument.check(document)
        var text = MappedText()
        text.append(copied: start..<document.count, of: document)
        var reader = TokenReader()
        do throws(TokenError) {
            return try reader.parts(of: text)
        } catch {
            throw ScriptError(error.reason, at: ScriptPlace(of: error.offset, in: document))
        }
    }
}
