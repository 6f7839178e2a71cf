/// What kind of pause the text asks for behind an utterance. The speaker turns it into time and leaves it out behind the
/// last utterance.
package enum PauseKind: Sendable, Equatable {
    /// The sentence goes on: it was cut for its length or for an early first sound.
    case none
    /// A sentence, a list's line or a line that announces something ends here.
    case sentence
    /// An empty line or a page break follows.
    case paragraph
}
