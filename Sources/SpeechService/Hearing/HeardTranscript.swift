package import EngineWire
package import Listening

/// What was understood of a recording so far.
package struct HeardTranscript: Sendable {
    private let rate: UInt32
    /// In the order of the sound.
    package private(set) var texts: [HeardText] = []

    /// - Parameter rate: frames a second.
    package init(rate: UInt32) { self.rate = rate }

    package mutating func add(_ piece: TranscribedPiece) { texts += piece.texts }

    /// All of it in one line.
    package var text: String { texts.map(\.text).joined(separator: " ") }

    /// What was spoken, if the recognizer found it out.
    package var language: String? { texts.compactMap(\.language).first }

    /// All of it in another form.
    package func written(as format: TranscriptFormat) -> String {
        var writer = TranscriptText(format, rate: rate)
        return writer.head + texts.map { writer.add($0) }.joined() + writer.tail
    }
}
