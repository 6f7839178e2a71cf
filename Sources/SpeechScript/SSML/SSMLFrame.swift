/// An open element: what holds inside it, and what is to be done at its end.
struct SSMLFrame {
    enum Closing {
        case nothing
        case block(PauseKind)
        case spelling
        /// Words that stand for the content, which begins at `content`.
        case substitution(XMLAttribute, content: Int)
        /// The pronunciation of the content, and where it is written.
        case word(String, XMLAttribute)
        case clip(String, gain: Double, start: Int)
    }

    var style = ScriptStyle()
    /// Nothing inside is spoken.
    var isSilent = false
    /// Each character inside is said on its own.
    var isSpelled = false
    /// What the text inside is.
    var reading: ScriptReading?
    /// What is inside is pronounced as a whole, and only its text counts.
    var isWord = false
    var closing = Closing.nothing
}
