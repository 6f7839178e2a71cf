import EngineKit
import SynthSymbols

/// The sound of a run, piece by piece, without the silence at its ends.
///
/// A run begins with about 0.3 s of silence and ends with as much. The first pieces are computed together up to the first sound; the
/// silence at the end is held back until sound follows it.
struct RunSound {
    /// Everything sounds earlier than the durations say by so many units of 25 ms, as in Kokoro, from which the voices learned.
    /// At other rates it is as much of the sound.
    static let lead = 3.0

    /// Frames of 12.5 ms that are computed for the first piece, and the most for any other.
    private static let firstPiece = 16
    private static let largestPiece = 96
    /// Seconds of silence that stay before the first sound and after the last.
    private static let margin: Float = 0.04
    private static let tail: Float = 0.06
    /// Samples below it are silent (60 dB below full scale).
    private static let silence: Float = 0.001

    /// The samples that are handed over at most. Known after `begin`.
    private(set) var audible: Range<Int>

    /// Samples of the first symbol, which is silent but for what sounds early.
    private let pad: Int
    private let rate: Float
    private var frames = Self.firstPiece
    private var peak: Float = 0
    /// Silence that is not handed over yet.
    private var held: [Float] = []
    /// What `begin` computed.
    private var first: [Float]?
    /// Samples handed over.
    private var handed = 0
    private var least = 0
    private var isOver = false

    /// - Parameters:
    ///   - durations: Those of the symbols with the pads, in units of 25 ms.
    ///   - sampleCount: Of the whole run.
    ///   - rate: That of the durations. Silence at the ends is as much shorter.
    init(_ durations: [Int], sampleCount: Int, rate: Float) {
        pad = min((durations.first ?? 0) * VoiceRun.unitLength, sampleCount)
        audible = 0..<sampleCount
        self.rate = rate
    }

    /// Computes up to the first sound.
    ///
    /// - Parameter isAwaited: Whether the first piece is to be short.
    mutating func begin(_ run: VoiceRun, isAwaited: Bool) throws {
        let early = Int(Self.lead) * VoiceRun.unitLength
        var frames = max(pad - early, 0) / VoiceRun.frameLength + (isAwaited ? Self.firstPiece : Self.largestPiece)
        var samples: [Float] = []
        var onset: Int?
        repeat {
            let known = samples.count
            guard try run.next(frames: frames, into: &samples) else { break }
            onset = samples[known...].firstIndex { $0.magnitude > Self.silence }
            frames = Self.firstPiece
        } while onset == nil && samples.count < pad
        let start = min(onset ?? samples.count, pad) - Int(Self.margin / rate * Float(VoiceRun.sampleRate))
        audible = min(max(start, 0), samples.count)..<audible.upperBound
        samples.removeFirst(audible.lowerBound)
        if audible.lowerBound > 0 { RunEdges.fadeIn(&samples) }
        first = samples
        self.frames = isAwaited ? Self.firstPiece * 2 : Self.largestPiece
    }

    /// Hands over at least so many samples, because events are in them.
    mutating func keep(until end: Int) { least = end }

    /// The next piece, which may be empty; `nil` at the end.
    mutating func next(of run: VoiceRun) throws -> [Float]? {
        guard !isOver else { return nil }
        if let samples = first {
            first = nil
            return withoutSilence(samples)
        }
        var samples: [Float] = []
        guard try run.next(frames: frames, into: &samples) else {
            isOver = true
            return rest()
        }
        frames = min(frames * 2, Self.largestPiece)
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
        handed += piece.count
        return piece
    }

    private mutating func rest() -> [Float]? {
        let tail = Int(Self.tail / rate * Float(VoiceRun.sampleRate))
        let count = min(max(tail, least - handed), held.count)
        var rest = Array(held.prefix(count))
        if count < held.count { RunEdges.fadeOut(&rest) }
        held = []
        return rest.isEmpty ? nil : rest
    }
}
