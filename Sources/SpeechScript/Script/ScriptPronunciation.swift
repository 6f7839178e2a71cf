/// How a stretch of text is said.
package struct ScriptPronunciation: Sendable, Equatable {
    /// Phonemes in IPA, words separated by a space. Holds no `]]`.
    package var ipa: String
    /// Whether an engine that does not take phonemes may speak the text itself. Not so if the text is the notation, as of
    /// `[[ipa]]`.
    package var hasWords: Bool
    /// The line of a lexicon that says so; nil = the document itself does.
    package var lexicon: LexiconLine?

    package init(ipa: String, hasWords: Bool, lexicon: LexiconLine? = nil) {
        self.ipa = ipa
        self.hasWords = hasWords
        self.lexicon = lexicon
    }
}
