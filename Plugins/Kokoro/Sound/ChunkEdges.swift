/// The edges at which two runs of the model meet. The silence that a run has there is cut off, the cut is faded, and
/// the pause that the punctuation asks for is put between. The runs do not overlap.
enum ChunkEdges {
    /// Samples below this share of the loudest one count as silence (60 dB).
    private static let silence: Float = 0.001
    /// Frames of silence that stay beside the sound, because a breath or a soft consonant may be in them.
    private static let margin = KokoroContract.sampleRate / 50
    /// Frames over which a cut edge is faded.
    private static let fadeLength = KokoroContract.sampleRate / 200

    /// Seconds of the pause after a symbol, at normal speed.
    private static let pauses: [Unicode.Scalar: Float] = [
        ".": 0.41, "?": 0.41, "!": 0.37, "…": 0.45, ":": 0.35, ";": 0.35, "—": 0.33, ",": 0.33,
    ]
    /// Seconds between two words of one clause.
    private static let shortest: Float = 0.06
    /// Symbols that may stand after the mark that decides the pause.
    private static let closing: Set<Unicode.Scalar> = ["”", "\"", ")", " "]

    /// Frames of silence after a run that ends with these symbols.
    static func pause(after symbols: [Unicode.Scalar], rate: Float) -> Int {
        let mark = symbols.last { !closing.contains($0) }
        let seconds = mark.flatMap { pauses[$0] } ?? shortest
        return Int(seconds / rate * Float(KokoroContract.sampleRate))
    }

    /// The range of a run without the silence at the edges where it meets another.
    static func audible(in samples: UnsafeBufferPointer<Float>, atBeginning: Bool, atEnd: Bool) -> Range<Int> {
        var peak: Float = 0
        for sample in samples { peak = max(peak, sample.magnitude) }
        let floor = peak * silence
        var range = samples.startIndex..<samples.endIndex
        guard peak > 0 else { return range }
        if atBeginning, let first = samples.firstIndex(where: { $0.magnitude > floor }) {
            range = max(0, first - margin)..<range.upperBound
        }
        if atEnd, let last = samples.lastIndex(where: { $0.magnitude > floor }) {
            range = range.lowerBound..<min(range.upperBound, last + 1 + margin)
        }
        return range
    }

    /// Fades the edges where a run meets another, so that they do not click.
    static func fade(_ samples: inout [Float], atBeginning: Bool, atEnd: Bool) {
        let count = min(fadeLength, samples.count / 2)
        for index in 0..<count {
            let level = Float(index) / Float(count)
            if atBeginning { samples[index] *= level }
            if atEnd { samples[samples.count - 1 - index] *= level }
        }
    }
}
