/// A recorded sound that a script asks for.
package struct ScriptClip: Sendable, Equatable {
    /// As the document writes it: the name of a configured clip, or a path below the folder of the document. Never trusted.
    package var name: String
    /// In decibels; 0 = as it was recorded.
    package var gain: Double
    /// The channel that it sounds on, beside the speech; nil = in the speech, which goes on after it.
    package var channel: String?
    /// What is said if there is no such clip.
    package var alternative: [ScriptPart]
    package var source: Range<Int>

    package init(
        _ name: String, gain: Double = 0, channel: String? = nil, alternative: [ScriptPart] = [], source: Range<Int>
    ) {
        self.name = name
        self.gain = gain
        self.channel = channel
        self.alternative = alternative
        self.source = source
    }
}
