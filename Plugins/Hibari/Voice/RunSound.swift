import EngineKit
import SynthSymbols

/// Computes the audio of a run in pieces, without the silence at its ends.
///
/// A run begins and ends with about 0.3 s of silence. The first pieces are computed together up to the first audible sample;
/// trailing silence is held back until audible samples follow.
struct RunSound {
    /// The number of 12.5 ms frames in the first piece, and the maximum in later ones.
    private static let firstPiece = 16
    private static let largestPiece = 96

    /// The samples that may be written. Set by `begin`.
    private(set) var audible: Range<Int>

    /// The length of the first symbol in samples. It is silent except for an early onset.
    private let pad: Int
    private let rate: Float
    private var frames = Self.firstPiece
    private var peak: Float = 0
    /// Silence not yet written.
    private var held: [Float] = []
    /// The audio that `begin` computed.
    private var first: [Float]?
    /// The number of samples written.
    private var handed = 0
    private var least = 0
    private var isOver = false

    /// - Parameters:
    ///   - durations: The durations of the symbols, including the pads, in units of 25 ms.
    ///   - sampleCount: The length of the whole run.
    ///   - rate: The rate of the durations. Silence at the ends is shortened accordingly.
    init(_ durations: [Int], sampleCount: Int, rate: Float) {
        pad = min((durations.first ?? 0) * VoiceRun.unitLength, sampleCount)
        audible = 0..<sampleCount
        self.rate = rate
    }

    /// Computes up to the first audible sample.
    ///
    /// - Parameter isAwaited: Whether to keep the first piece short.
    mutating func begin(_ run: VoiceRun, isAwaited: Bool) throws {
        let early = Int(TokenTimes.lead) * VoiceRun.unitLength
        var frames = max(pad - early, 0) / VoiceRun.frameLength + (isAwaited ? Self.firstPiece : Self.largestPiece)
        var samples: [Float] = []
        var onset: Int?
        repeat {
            let known = samples.count
            guard try run.next(frames: frames, into: &samples) else { break }
            // The loudest sample is not known yet, so full scale is assumed.
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

    /// Ensures that at least this many samples are written, because events refer to them.
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

    /// Holds back silence at the end of a piece.
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
/// The published graphs divide and round each duration, to at least one unit of 25 ms, so a rate of 2 gives 1.80 and 1.25 gives
/// 1.14. This type divides and rounds the symbol boundaries instead, so the error never exceeds half a unit, however long the
/// text. A short symbol may then have zero units, as most stress marks and spaces do in fast speech. At the rates that the engine
/// allows, no two adjacent symbols have zero units.
enum SpokenRate {
    /// - Parameters:
    ///   - own: The voice's durations, at least 1 each.
    ///   - rate: 1.25 is a quarter faster, and is the maximum that the engine declares.
    /// - Returns: Durations within the compute core's limit; the longest phonemes of a slow voice are not stretched.
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
