import EngineKit
import SynthSymbols

/// Computes a run's audio in pieces and trims the silence at both ends.
///
/// A run begins and ends with about 0.3 s of silence. The first piece extends to the first audible samples; trailing silence
/// is held back until audible samples follow.
struct RunSound {
    /// The length of the first piece in frames of 12.5 ms.
    private static let firstPiece = 16
    private static let largestPiece = 96

    /// The samples that remain after trimming. Set by `begin`.
    private(set) var audible: Range<Int>

    /// The length of the first symbol in samples. The symbol is silent unless speech starts early.
    private let pad: Int
    private let rate: Float
    private var frames = Self.firstPiece
    private var peak: Float = 0
    /// Silence that is being held back.
    private var held: [Float] = []
    /// The audio computed by `begin`.
    private var first: [Float]?
    /// The number of samples returned so far, excluding `held`.
    private var handed = 0
    private var least = 0
    private var isOver = false

    /// - Parameters:
    ///   - durations: The symbol durations, including the pads, in units of 25 ms.
    ///   - sampleCount: The length of the entire run.
    ///   - rate: The speaking rate. Silence at both ends is shortened accordingly.
    init(_ durations: [Int], sampleCount: Int, rate: Float) {
        pad = min((durations.first ?? 0) * HibariRun.unitLength, sampleCount)
        audible = 0..<sampleCount
        self.rate = rate
    }

    /// Computes the audio up to the first audible sample.
    ///
    /// - Parameter isAwaited: Whether to keep the first piece short.
    mutating func begin(_ run: HibariRun, isAwaited: Bool) throws {
        let early = Int(TokenTimes.lead) * HibariRun.unitLength
        var frames = max(pad - early, 0) / HibariRun.frameLength + (isAwaited ? Self.firstPiece : Self.largestPiece)
        var samples: [Float] = []
        var onset: Int?
        repeat {
            let known = samples.count
            guard try run.next(frames: frames, into: &samples) else { break }
            // The peak level is not yet known, so assume full scale.
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

    /// Ensures that all samples up to `end` are returned, because events refer to positions up to there.
    mutating func keep(until end: Int) { least = end }

    /// The next piece, which may be empty; `nil` at the end.
    mutating func next(of run: HibariRun) throws -> [Float]? {
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

    /// Holds back the silence at the end of a piece.
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

/// Scales durations for a rate other than 1.
///
/// The published graphs divide each duration by the rate and round the result, with a minimum of one unit (25 ms). As a
/// result, a rate of 2 actually yields 1.80, and 1.25 yields 1.14. This type instead scales and rounds the symbol
/// boundaries, so the total duration is never off by more than half a unit, however long the text. A short symbol may
/// then have a duration of zero units, as most stress marks and spaces do in fast speech. At the rates that the engine
/// allows, two adjacent symbols never both have zero units.
enum SpokenRate {
    /// - Parameters:
    ///   - own: The voice's durations, at least 1 each.
    ///   - rate: The speaking rate, at most 1.25 (25% faster).
    /// - Returns: The scaled durations, clamped to the compute core's limit.
    static func durations(_ own: [Int], rate: Float) -> [Int] {
        guard rate != 1 else { return own }
        let rate = Double(rate)
        var (sum, end) = (0, 0)
        return own.map { duration in
            sum += duration
            let start = end
            end = Int((Double(sum) / rate).rounded())
            return min(end - start, HibariRun.longestDuration)
        }
    }
}
