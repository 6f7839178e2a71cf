/// The kind of pause after an utterance. The playback turns it into time and leaves it out after the last utterance.
package enum PauseKind: Sendable, Equatable {
    /// The sentence continues: it was cut for its length or for an early first sound.
    case none
    /// A sentence, a list item or a line that ends with a colon ends here.
    case sentence
    /// An empty line or a page break follows.
    case paragraph
}
