import SynthSymbols

/// Text with IPA, converted to espeak-ng input with mnemonics in `[[ … ]]`. Each piece of the input has a position in the
/// original text.
package struct MnemonicText {
    package struct Piece: Equatable, Sendable {
        /// The text that espeak-ng reads.
        package let text: String
        /// The UTF-8 range in the original text. For plain text, the range has the same length as the piece; for an inserted
        /// space, it is empty.
        package let bytes: Range<Int>
        /// Whether the piece is a block of mnemonics, which counts as a single word.
        package let isWord: Bool
    }

    package private(set) var pieces: [Piece] = []
    private let table: MnemonicTable
    private let utf8: [UInt8]

    /// - Parameters:
    ///   - text: Text with IPA in `[[ … ]]`.
    ///   - isAllIPA: Whether the entire text is IPA: words separated by white space, possibly followed by punctuation.
    package init(_ text: String, isAllIPA: Bool = false, by table: MnemonicTable) throws(PhonemeError) {
        self.table = table
        utf8 = Array(text.utf8)
        var done = 0
        let blocks: [(ipa: Range<Int>, whole: Range<Int>)]
        if isAllIPA {
            blocks = TextWords.places(in: utf8, utf8.indices).map { ($0, $0) }
        } else {
            blocks = InlinePhonemes.parts(of: text).filter(\.isPhonemes).map { part in
                (part.bytes.lowerBound + 2..<part.bytes.upperBound - 2, part.bytes)
            }
        }
        for block in blocks {
            append(text: done..<block.whole.lowerBound)
            try append(ipa: block.ipa, in: block.whole)
            done = block.whole.upperBound
        }
        append(text: done..<utf8.count)
    }

    /// Returns the complete text for a voice as UTF-8, without the characters that crash libespeak-ng. (Mnemonics never
    /// contain such characters.)
    package func safeBytes(voice: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for piece in pieces {
            bytes +=
                piece.isWord
                ? [UInt8](repeating: UInt8(ascii: "x"), count: piece.text.utf8.count) : Array(piece.text.utf8)
        }
        bytes = UnsafeCharacters.removed(from: bytes, voice: voice)
        var start = 0
        for piece in pieces {
            let end = start + piece.text.utf8.count
            if piece.isWord { bytes.replaceSubrange(start..<end, with: piece.text.utf8) }
            start = end
        }
        return bytes
    }

    private mutating func append(ipa: Range<Int>, in block: Range<Int>) throws(PhonemeError) {
        let ipa = String(decoding: utf8[ipa], as: UTF8.self)
        let mnemonics = try MnemonicWriter.mnemonics(of: ipa, by: table)
        // espeak-ng recognizes the brackets only after white space.
        appendSpace(at: block.lowerBound)
        guard !mnemonics.isEmpty else { return }
        pieces.append(Piece(text: "[[\(mnemonics)]]", bytes: block, isWord: true))
    }

    private mutating func append(text range: Range<Int>) {
        guard !range.isEmpty else { return }
        var start = range.lowerBound
        if pieces.last?.isWord == true {
            let rest = String(decoding: utf8[range], as: UTF8.self).unicodeScalars
            if let first = rest.first, Self.isAbbreviationPoint(rest) {
                // Without this space, espeak-ng would say "dot".
                appendSpace(at: start)
                start += UTF8.width(first)
            } else if let first = rest.first, !first.properties.isWhitespace, !Self.mayFollow.contains(first) {
                appendSpace(at: start)
            }
        }
        let bracket = UInt8(ascii: "[")
        for index in range.dropFirst() where index > start && utf8[index] == bracket && utf8[index - 1] == bracket {
            copy(start..<index)
            appendSpace(at: index)
            start = index
        }
        copy(start..<range.upperBound)
    }

    private mutating func copy(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        pieces.append(Piece(text: String(decoding: utf8[range], as: UTF8.self), bytes: range, isWord: false))
    }

    /// Appends a space unless the text already ends with white space.
    private mutating func appendSpace(at position: Int) {
        guard let last = pieces.last?.text.unicodeScalars.last, !last.properties.isWhitespace else { return }
        pieces.append(Piece(text: " ", bytes: position..<position, isWord: false))
    }

    private static let mayFollow: Set<Unicode.Scalar> = [",", ".", ";", ":", "!", "?", "…", "，", "。", "！", "？", "।"]

    /// Whether the text starts with a period that does not end a sentence.
    private static func isAbbreviationPoint(_ text: String.UnicodeScalarView) -> Bool {
        guard text.first == "." else { return false }
        let rest = text.dropFirst()
        guard let next = rest.first(where: { !$0.properties.isWhitespace }) else { return false }
        return next.properties.isLowercase
            || rest.first == next && (next.properties.isAlphabetic || ("0"..."9").contains(next))
    }
}
