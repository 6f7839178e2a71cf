/// What a document says, taken apart in the order in which it sounds. Every form of script is read into these.
package enum ScriptPart: Sendable, Equatable {
    case text(ScriptText)
    /// Silence of exact length. It replaces the pause of what was said before, and no rate changes it.
    case silence(Duration, source: Range<Int>)
    /// A place that a listener wants to be told of.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)
    /// What was said so far ends here, whatever its punctuation: a sentence or a paragraph.
    case end(PauseKind)
}
