import EngineKit
import SynthSymbols

/// The sound of a run, piece by piece, without the silence at its ends.
///
/// A run begins with about 0.3 s of silence and ends with as much. How long the first silence is follows from the durations;
/// the last one is held back until sound follows it.
struct RunSound {
    /// Everything sounds earlier than the durations say by so many units of 25 ms, as in Kokoro, from which the voices learned.
    static let lead = 3.0

    /// Units of silence that stay before the first sound.
    private static let margin = 2
    /// Frames of 12.5 ms that are computed for the first piece, and the most for any other.
    private static let firstPiece = 16
    private static let largestPiece = 96
    /// Samples that stay after the last sound.
    private static let tail = VoiceRun.sampleRate * 3 / 50

    /// The samples that are handed over at most.
    let audible: Range<Int>

    private var position = 0
    private var frames = Self.firstPiece
    private var peak: Float = 0
    private var held: [Float] = []
    /// Samples handed over or held back.
    private var taken = 0
    private var least = 0
    private var isOver = false

    /// - Parameters:
    ///   - durations: Those of the symbols with the pads, in units of 25 ms.
    ///   - sampleCount: Of the whole run.
    init(_ durations: [Int], sampleCount: Int) {
        let silent = max((durations.first ?? 0) - Int(Self.lead) - Self.margin, 0) * VoiceRun.unitLength
        audible = min(silent, sampleCount)..<sampleCount
    }

    /// Hands over at least so many samples, because events are in them.
    mutating func keep(until end: Int) { least = end }

    /// The next piece, which may be empty; `nil` at the end.
    ///
    /// - Parameter isAwaited: Whether the first piece is to be short.
    mutating func next(of run: VoiceRun, isAwaited: Bool) throws(EngineError) -> [Float]? {
        guard !isOver else { return nil }
        if position == 0 {
            // What is cut off is computed with the first piece.
            frames = (isAwaited ? Self.firstPiece : Self.largestPiece) + audible.lowerBound / VoiceRun.frameLength
        }
        var samples: [Float] = []
        guard try run.next(frames: frames, into: &samples) else {
            isOver = true
            return rest()
        }
        frames = min(position == 0 ? Self.firstPiece * 2 : frames * 2, Self.largestPiece)
        let cut = min(max(audible.lowerBound - position, 0), samples.count)
        position += samples.count
        samples.removeFirst(cut)
        if taken == 0 { RunEdges.fadeIn(&samples) }
        taken += samples.count
        return withoutSilence(samples)
    }

    /// Holds back what is silent at the end of a piece.
    private mutating func withoutSilence(_ samples: [Float]) -> [Float] {
        for sample in samples { peak = max(peak, sample.magnitude) }
        let floor = peak * RunEdges.silence
        guard let last = samples.lastIndex(where: { $0.magnitude > floor }) else {
            held += samples
            return []
        }
        let piece = held + samples[...last]
        held = Array(samples[(last + 1)...])
        return piece
    }

    private mutating func rest() -> [Float]? {
        let handed = taken - held.count
        let count = min(max(Self.tail, least - handed), held.count)
        var rest = Array(held.prefix(count))
        if count < held.count { RunEdges.fadeOut(&rest) }
        held = []
        return rest.isEmpty ? nil : rest
    }
}
