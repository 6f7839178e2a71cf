/// The kind of pause after an utterance. The playback turns it into time and leaves it out after the last utterance.
package enum PauseKind: Sendable, Equatable {
    /// The sentence continues: it was cut for its length, for an early first sound, or because it is spoken otherwise from
    /// there on.
    case none
    /// A sentence, a list item or a line that ends with a colon ends here.
    case sentence
    /// An empty line or a page break follows.
    case paragraph
    /// A silence of exact length follows, as the next step: what the engine leaves of its own goes.
    case silence
}
