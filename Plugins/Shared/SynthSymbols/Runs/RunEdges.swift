/// Trims and fades the edges of a model run and determines the pause between runs from the punctuation. A run starts
/// with about 0.27 s of silence and ends with about 0.7 s. The silence is at least 80 dB below the speech. Runs do not
/// overlap.
package enum RunEdges {
    /// Samples whose magnitude is below this fraction of the peak (-60 dB) are silence.
    package static let silence: Float = 0.001
    /// The number of silent frames to keep at an edge next to another run, because they may contain a breath or a soft
    /// consonant.
    private static let innerMargin = SymbolTable.sampleRate / 50
    /// The number of silent frames to keep at the start and end of the text, where the audio needs time to decay.
    package static let firstMargin = SymbolTable.sampleRate / 25
    package static let lastMargin = SymbolTable.sampleRate * 3 / 50
    /// The length of a fade in frames.
    private static let fadeLength = SymbolTable.sampleRate / 200

    /// The pause after a symbol, in seconds.
    private static let pauses: [Unicode.Scalar: Float] = [
        ".": 0.41, "?": 0.41, "!": 0.37, "…": 0.45, ":": 0.35, ";": 0.35, "—": 0.33, ",": 0.33,
    ]
    /// The pause between words of the same clause, in seconds.
    private static let shortest: Float = 0.06
    /// Symbols that may follow the mark that determines the pause.
    private static let closing: Set<Unicode.Scalar> = ["”", "\"", ")", " "]

    /// Returns the number of silent frames after a run that ends with these symbols.
    package static func pause(after symbols: [Unicode.Scalar]) -> Int {
        let mark = symbols.last { !closing.contains($0) }
        let seconds = mark.flatMap { pauses[$0] } ?? shortest
        return Int(seconds * Float(SymbolTable.sampleRate))
    }

    /// Returns the range of a run without the silence at its edges.
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

    /// Fades the edges to avoid clicks.
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
