package import SynthEngineWire

/// The transcript of a piece of long audio.
package struct TranscribedPiece: Equatable, Sendable {
    /// The index of the piece, starting at 0.
    package let index: Int
    /// The frame range in the recording.
    package let frames: Range<Int>
    /// Final texts, sorted by start time, with positions in the recording.
    package let texts: [RecognizedText]
    /// The texts that were rejected because they were probably never spoken.
    package let leftOut: [RecognizedText]
    /// The stable start of the text that follows `texts`. Empty if that text is unknown.
    package let beginning: String

    package init(
        index: Int, frames: Range<Int>, texts: [RecognizedText], leftOut: [RecognizedText] = [], beginning: String = ""
    ) {
        self.beginning = beginning
        self.index = index
        self.frames = frames
        self.texts = texts
        self.leftOut = leftOut
    }
}

extension RecognizedText {
    /// Whether the text contains a letter or number. Given music or noise, a recognizer may return only punctuation.
    var hasWords: Bool {
        text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Returns a copy for a channel, shifted by a number of frames.
    func moved(by frames: UInt64, _ channel: SoundChannel? = nil) -> RecognizedText {
        func moved(_ range: Range<UInt64>) -> Range<UInt64> {
            range.lowerBound + frames..<range.upperBound + frames
        }
        var text = self
        text.channel = channel
        text.frames = moved(text.frames)
        for index in text.words.indices { text.words[index].frames = moved(text.words[index].frames) }
        return text
    }
}
