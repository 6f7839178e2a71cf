package import SynthSystem

struct LexiconEntry {
    /// The maximum length of the words and of the replacement, in characters.
    static let longest = 256

    /// The language tag in lowercase, with hyphens, or nil for all languages.
    let language: String?
    let tokens: [LexiconToken]
    let sound: TextEdit.Replacement

    /// Whether the entry is case-sensitive.
    var isExact: Bool { tokens.contains { $0.text != $0.folded } }

    /// - Parameters:
    ///   - line: a line that is neither blank nor a comment.
    ///   - location: the location of the line, for error messages.
    init(_ line: String, at location: LexiconLine) throws(SpeechError) {
        let hasControl = line.unicodeScalars.contains { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control
        }
        guard !hasControl else { throw location.error("contains a control character") }
        guard let equals = line.unicodeScalars.firstIndex(of: "=") else {
            throw location.error("has no equals sign between a word and its pronunciation")
        }
        let (language, word) = Self.parted(line[..<equals])
        self.language = language
        let sound = Self.trimmed(line[line.unicodeScalars.index(after: equals)...])
        guard max(word.unicodeScalars.count, sound.unicodeScalars.count) <= Self.longest else {
            throw location.error("has a word or a replacement with more than \(Self.longest) characters")
        }
        tokens = LexiconToken.tokens(of: String(word))
        guard !tokens.isEmpty else { throw location.error("has no word before the equals sign") }
        self.sound = try Self.sound(sound, location)
    }

    /// Splits off the optional language tag, with the colon and the white space after it.
    private static func parted(_ text: Substring) -> (language: String?, word: Substring) {
        let text = trimmed(text)
        guard let colon = text.firstIndex(of: ":"), let language = language(text[..<colon]) else { return (nil, text) }
        let rest = text[text.index(after: colon)...]
        guard rest.first.map(\.isWhitespace) ?? true else { return (nil, text) }
        return (language, trimmed(rest))
    }

    /// Returns a tag in lowercase with hyphens, or nil if the text is not a language tag.
    static func language(_ tag: some StringProtocol) -> String? { LanguageTag.normalized(tag)?.lowercased() }

    private static func sound(_ text: Substring, _ location: LexiconLine) throws(SpeechError) -> TextEdit.Replacement {
        guard let first = text.first else { throw location.error("has no pronunciation after the equals sign") }
        guard first == "/" else { return .text(String(text)) }
        let ipa = trimmed(text.dropFirst().dropLast())
        guard text.count >= 3, text.last == "/", !ipa.isEmpty, !ipa.contains("["), !ipa.contains("]") else {
            throw location.error(": \(Wording.quoted(String(text))) is not a pronunciation enclosed in slashes")
        }
        return .pronunciation(String(ipa), location)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

extension LexiconLine {
    /// Creates the error for an invalid line.
    ///
    /// - Parameter flaw: the rest of a message that begins with "Line 3 of words.txt".
    package func error(_ flaw: String) -> SpeechError {
        let name = file.isEmpty ? "the lexicon" : file
        return SpeechError(
            .lexiconInvalid, "Line \(line) of \(name)\(flaw.hasPrefix(":") ? "" : " ")\(flaw).",
            SpeechError.Facts(path: file.isEmpty ? nil : file, line: line), remedy: .correctLexicon(name))
    }
}

extension SpeechError {
    /// Creates the error for a lexicon that exceeds the maximum size.
    package static func lexiconTooLong(_ file: String, limit: Int) -> SpeechError {
        let name = file.isEmpty ? "the lexicon" : file
        return SpeechError(
            .lexiconInvalid, "\(file.isEmpty ? "The lexicon" : file) is larger than \(limit >> 20) MiB.",
            Facts(path: file.isEmpty ? nil : file, line: 1, limit: Int64(limit)), remedy: .correctLexicon(name))
    }
}
