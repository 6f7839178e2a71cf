/// A stretch of text of one style. A sentence may go on in the next one.
package struct ScriptText: Sendable, Equatable {
    /// Not empty. Line breaks count as in plain text: an empty line ends a paragraph.
    package var text: String
    /// The places of the text in the document.
    package var source: SourceMap
    package var style: ScriptStyle
    /// How the whole text is pronounced; nil = the engine knows.
    package var pronunciation: ScriptPronunciation?
    /// What the whole text is; nil = nobody says so.
    package var reading: ScriptReading?

    package init(
        _ text: String, source: SourceMap, style: ScriptStyle = ScriptStyle(),
        pronunciation: ScriptPronunciation? = nil, reading: ScriptReading? = nil
    ) {
        self.text = text
        self.source = source
        self.style = style
        self.pronunciation = pronunciation
        self.reading = reading
    }
}
