/// An open element: the state that applies to its content, and what to do at its end.
struct SSMLFrame {
    enum Closing {
        case nothing
        case block(PauseKind)
        case spelling
        /// The attribute whose value replaces the content, which starts at `content`.
        case substitution(XMLAttribute, content: Int)
        /// The pronunciation of the content and the attribute that specifies it.
        case word(String, XMLAttribute)
        case clip(String, gain: Double, start: Int)
    }

    var style = ScriptStyle()
    /// Whether the content is skipped.
    var isSilent = false
    /// Whether the content is spelled out character by character.
    var isSpelled = false
    /// The type of the content, such as a date.
    var reading: ScriptReading?
    /// Whether the content has a pronunciation. If so, only the text of the content is used.
    var isWord = false
    var closing = Closing.nothing
}
