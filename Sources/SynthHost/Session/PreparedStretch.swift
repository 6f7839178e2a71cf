/// A stretch of a text as it is written and as it is said.
package struct PreparedStretch: Equatable, Sendable {
    package let written: String
    /// As the engine gets it; empty = nothing is said.
    package let said: String
    /// What is not said as the text or a lexicon asks.
    package let notices: [SpeechNotice]
    /// In bytes of the document.
    package let source: Range<Int>
    /// BCP-47.
    package let language: String
    /// The title of the voice.
    package let voice: String
}
