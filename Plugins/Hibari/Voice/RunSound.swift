import EngineKit
import SynthSymbols

/// The sound of a run, piece by piece, without the silence at its ends.
///
/// A run begins with about 0.3 s of silence and ends with as much. The first pieces are computed together up to the first sound; the
/// silence at the end is held back until sound follows it.
struct RunSound {
    /// Frames of 12.5 ms that are computed for the first piece, and the most for any other.
    private static let firstPiece = 16
    private static let largestPiece = 96

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
        let early = Int(TokenTimes.lead) * VoiceRun.unitLength
        var frames = max(pad - early, 0) / VoiceRun.frameLength + (isAwaited ? Self.firstPiece : Self.largestPiece)
        var samples: [Float] = []
        var onset: Int?
        repeat {
            let known = samples.count
            guard try run.next(frames: frames, into: &samples) else { break }
            // The loudest sample is not known yet: it counts as full scale.
            onset = samples[known...].firstIndex { $0.magnitude > RunEdges.silence }
            frames = Self.firstPiece
        } while onset == nil && samples.count < pad
        let start = min(onset ?? samples.count, pad) - Int(Float(RunEdges.firstMargin) / rate)
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
        let tail = Int(Float(RunEdges.lastMargin) / rate)
        let count = min(max(tail, least - handed), held.count)
        var rest = Array(held.prefix(count))
        if count < held.count { RunEdges.fadeOut(&rest) }
        held = []
        return rest.isEmpty ? nil : rest
    }
}

/// Durations at another rate than the voice's own.
///
/// The published graphs divide each duration and round it, with one unit of 25 ms at least, so that 2 gives 1.80 and 1.25 gives
/// 1.14. Here the ends of the symbols are divided and rounded instead: no error is longer than half a unit, however long the
/// text. A short symbol may then have no unit, as most stress marks and spaces do when people speak fast. At the rates that the
/// engine has, no two symbols in a row have none.
enum SpokenRate {
    /// - Parameters:
    ///   - own: At least 1 each.
    ///   - rate: 1.25 is a quarter faster. At most that, as the engine declares.
    /// - Returns: At most what the computing core takes: a slow voice's longest sounds get no longer.
    static func durations(_ own: [Int], rate: Float) -> [Int] {
        guard rate != 1 else { return own }
        let rate = Double(rate)
        var (sum, end) = (0, 0)
        return own.map { duration in
            sum += duration
            let start = end
            end = Int((Double(sum) / rate).rounded())
            return min(end - start, VoiceRun.longestDuration)
        }
    }
}
