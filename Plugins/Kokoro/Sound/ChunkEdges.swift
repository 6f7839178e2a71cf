/// Where two runs of the model meet: the silence that each has at its ends goes, and the pause that the punctuation asks
/// for comes in its place.
enum ChunkEdges {
    /// Below the loudest of its sound by this factor (60 dB) a run is silent.
    private static let silence: Float = 0.001
    /// What is left of the silence beside the sound: a breath or a soft consonant may be in it.
    private static let margin = KokoroContract.sampleRate / 50
    /// Over this many frames a cut end swells or fades.
    private static let fadeLength = KokoroContract.sampleRate / 200

    /// Seconds of a pause behind a symbol, at normal speed.
    private static let pauses: [Unicode.Scalar: Float] = [
        ".": 0.41, "?": 0.41, "!": 0.37, "…": 0.45, ":": 0.35, ";": 0.35, "—": 0.33, ",": 0.33,
    ]
    /// Between two words of one clause.
    private static let shortest: Float = 0.06
    /// They stand behind the mark that asks for the pause.
    private static let closing: Set<Unicode.Scalar> = ["”", "\"", ")", " "]

    /// Frames between a run that ends with these symbols and the next.
    static func pause(after symbols: [Unicode.Scalar], rate: Float) -> Int {
        let mark = symbols.last { !closing.contains($0) }
        let seconds = mark.flatMap { pauses[$0] } ?? shortest
        return Int(seconds / rate * Float(KokoroContract.sampleRate))
    }

    /// The sound of a run without the silence at the ends that are seams.
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

    /// Swells and fades the ends that are seams, so that neither clicks.
    static func fade(_ samples: inout [Float], atBeginning: Bool, atEnd: Bool) {
        let count = min(fadeLength, samples.count / 2)
        for index in 0..<count {
            let level = Float(index) / Float(count)
            if atBeginning { samples[index] *= level }
            if atEnd { samples[samples.count - 1 - index] *= level }
        }
    }
}
