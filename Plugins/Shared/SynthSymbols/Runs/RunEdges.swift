/// The edges of a run of the model. It begins with about 0.27 s and ends with about 0.7 s of silence, 80 dB below the speech and
/// more: that is cut off, and the cut is faded. Where two runs meet, the pause that the punctuation asks for is put between.
/// The runs do not overlap.
package enum RunEdges {
    /// Samples below this share of the loudest one count as silence (60 dB).
    package static let silence: Float = 0.001
    /// Frames of silence that stay beside the sound where another run is, because a breath or a soft consonant may be in them.
    private static let innerMargin = SymbolTable.sampleRate / 50
    /// The same where a text begins, and where it ends and sound dies away.
    package static let firstMargin = SymbolTable.sampleRate / 25
    package static let lastMargin = SymbolTable.sampleRate * 3 / 50
    /// Frames over which a cut edge is faded.
    private static let fadeLength = SymbolTable.sampleRate / 200

    /// Seconds of the pause after a symbol.
    private static let pauses: [Unicode.Scalar: Float] = [
        ".": 0.41, "?": 0.41, "!": 0.37, "…": 0.45, ":": 0.35, ";": 0.35, "—": 0.33, ",": 0.33,
    ]
    /// Seconds between two words of one clause.
    private static let shortest: Float = 0.06
    /// Symbols that may stand after the mark that decides the pause.
    private static let closing: Set<Unicode.Scalar> = ["”", "\"", ")", " "]

    /// Frames of silence after a run that ends with these symbols.
    package static func pause(after symbols: [Unicode.Scalar]) -> Int {
        let mark = symbols.last { !closing.contains($0) }
        let seconds = mark.flatMap { pauses[$0] } ?? shortest
        return Int(seconds * Float(SymbolTable.sampleRate))
    }

    /// The range of a run without the silence at its edges.
    ///
    /// - Parameters:
    ///   - isFirst: Whether no run is before it.
    ///   - isLast: Whether none comes after it.
    package static func audible(in samples: UnsafeBufferPointer<Float>, isFirst: Bool, isLast: Bool) -> Range<Int> {
        var peak: Float = 0
        for sample in samples { peak = max(peak, sample.magnitude) }
        let floor = peak * silence
        guard peak > 0, let first = samples.firstIndex(where: { $0.magnitude > floor }),
            let last = samples.lastIndex(where: { $0.magnitude > floor })
        else { return samples.startIndex..<samples.endIndex }
        return max(
            0, first - (isFirst ? firstMargin : innerMargin))..<min(
                samples.count, last + 1 + (isLast ? lastMargin : innerMargin))
    }

    /// Fades edges, so that they do not click.
    package static func fade(_ samples: inout [Float], atBeginning: Bool, atEnd: Bool) {
        let count = min(fadeLength, samples.count / 2)
        for index in 0..<count {
            let level = Float(index) / Float(count)
            if atBeginning { samples[index] *= level }
            if atEnd { samples[samples.count - 1 - index] *= level }
        }
    }

    package static func fadeIn(_ samples: inout [Float]) { fade(&samples, atBeginning: true, atEnd: false) }
    package static func fadeOut(_ samples: inout [Float]) { fade(&samples, atBeginning: false, atEnd: true) }
}
