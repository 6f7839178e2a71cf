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

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}
