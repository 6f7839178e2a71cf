/// A line of a lexicon.
struct LexiconEntry {
    /// Of a word and of what is said for it, in characters.
    static let longest = 256

    /// In lower case, with hyphens; nil = every language.
    let language: String?
    let tokens: [LexiconToken]
    let sound: TextEdit.Replacement

    /// Whether the word stands for itself alone, and not for its other spellings with capitals.
    var isExact: Bool { tokens.contains { $0.text != $0.folded } }

    /// - Parameters:
    ///   - line: without a comment, not blank.
    ///   - place: where it stands.
    init(_ line: String, at place: LexiconLine) throws(LexiconError) {
        let hasControl = line.unicodeScalars.contains { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control
        }
        guard !hasControl else { throw LexiconError(.controlCharacter, line: place.line) }
        guard let equals = line.unicodeScalars.firstIndex(of: "=") else {
            throw LexiconError(.noEqualsSign, line: place.line)
        }
        let (language, word) = Self.parted(line[..<equals])
        self.language = language
        let sound = Self.trimmed(line[line.unicodeScalars.index(after: equals)...])
        guard max(word.unicodeScalars.count, sound.unicodeScalars.count) <= Self.longest else {
            throw LexiconError(.entryTooLong(limit: Self.longest), line: place.line)
        }
        tokens = LexiconToken.tokens(of: String(word))
        guard !tokens.isEmpty else { throw LexiconError(.noWord, line: place.line) }
        self.sound = try Self.sound(sound, place)
    }

    /// A language, a colon and white space, in front of the word.
    private static func parted(_ text: Substring) -> (language: String?, word: Substring) {
        let text = trimmed(text)
        guard let colon = text.firstIndex(of: ":"), let language = language(text[..<colon]) else { return (nil, text) }
        let rest = text[text.index(after: colon)...]
        guard rest.first.map(\.isWhitespace) ?? true else { return (nil, text) }
        return (language, trimmed(rest))
    }

    /// A tag of BCP-47 in one form; nil if it is none.
    static func language(_ tag: some StringProtocol) -> String? {
        let parts = tag.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let first = parts.first, (2...3).contains(first.utf8.count),
            first.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { return nil }
        let isTag = parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        }
        return isTag ? parts.joined(separator: "-") : nil
    }

    private static func sound(_ text: Substring, _ place: LexiconLine) throws(LexiconError) -> TextEdit.Replacement {
        guard let first = text.first else { throw LexiconError(.noReplacement, line: place.line) }
        guard first == "/" else { return .text(String(text)) }
        let ipa = trimmed(text.dropFirst().dropLast())
        guard text.count >= 3, text.last == "/", !ipa.isEmpty, !ipa.contains("["), !ipa.contains("]") else {
            throw LexiconError(.badPronunciation(String(text)), line: place.line)
        }
        return .pronunciation(String(ipa), place)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

/// Why a lexicon cannot be read.
package struct LexiconError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        /// Not UTF-8.
        case text(TextError)
        /// More bytes than a lexicon may have.
        case tooLong(limit: Int)
        /// No `=` between a word and what is said for it.
        case noEqualsSign
        case noWord
        case noReplacement
        /// More characters than a word or a replacement may have.
        case entryTooLong(limit: Int)
        /// A pronunciation that begins with `/` and does not end with one, is empty, or holds a bracket.
        case badPronunciation(String)
        case controlCharacter
    }

    package let reason: Reason
    /// From 1.
    package let line: Int
    /// The file of the lexicon; its reader adds it.
    package var path = "the lexicon"

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }

    /// The same with the path of the lexicon's file; an empty one names none.
    package func inFile(_ path: String) -> LexiconError {
        var error = self
        if !path.isEmpty { error.path = path }
        return error
    }
}
