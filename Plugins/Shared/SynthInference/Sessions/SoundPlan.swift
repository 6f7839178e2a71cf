/// Divides audio into parts. Because the frames around each part are recomputed, long parts are more efficient, but a
/// maximum length limits memory use.
///
/// If a listener is waiting, the first part is short so that playback starts soon. Later parts are short enough to be
/// ready before playback reaches them, judging by the speed of the previous part.
public struct SoundPlan {
    /// The number of frames in the first part if a listener is waiting: 0.2 s with published voices.
    static let first = 16
    /// The maximum number of frames in a part: 4.5 s with published voices.
    static let most = 384
    /// The share of the remaining playback time that may be spent on computing the next part. The host may play audio
    /// at up to four times the normal rate; the remaining 30% is a safety margin in case the machine slows down.
    private static let share = 0.7 / 4

    private let frameCount: Int
    /// The number of frames on either side of a part that are recomputed.
    private let overlap: Int
    /// The number of frames after the first part that the run for that part also reads.
    private let lookahead: Int
    /// The duration of a frame in seconds.
    private let frameDuration: Double
    private let isAwaited: Bool
    private var last = 0..<0

    /// - Parameter isAwaited: Whether the audio should start soon, even if that increases the total time.
    public init(_ sound: SoundInParts, sampleRate: Int, isAwaited: Bool) {
        self.init(
            frameCount: sound.frameCount, overlap: sound.overlap, lookahead: sound.lookahead,
            frameDuration: Double(sound.samplesPerFrame) / Double(max(sampleRate, 1)), isAwaited: isAwaited)
    }

    init(frameCount: Int, overlap: Int, lookahead: Int? = nil, frameDuration: Double, isAwaited: Bool = true) {
        self.isAwaited = isAwaited
        self.frameCount = frameCount
        self.overlap = overlap
        self.lookahead = lookahead ?? overlap
        self.frameDuration = frameDuration
    }

    /// Returns the next part's frame range; `nil` after the last part.
    ///
    /// - Parameters:
    ///   - sounding: The time since the first part was written, in seconds.
    ///   - computing: The computing time of the last part, in seconds.
    public mutating func next(sounding: Double = 0, computing: Double = 0) -> Range<Int>? {
        let start = last.upperBound
        guard start < frameCount else { return nil }
        guard isAwaited else {
            let count = (frameCount + Self.most - 1) / Self.most
            last = start..<min(frameCount, start + (frameCount + count - 1) / count)
            return last
        }
        var size = Self.first
        if start > 0 {
            let left = Double(start) * frameDuration - sounding
            let after = last.lowerBound == 0 ? lookahead : overlap
            let computed = min(frameCount, last.upperBound + after) - max(0, last.lowerBound - overlap)
            let around = 2 * overlap
            let affordable = computing > 0 ? Self.share * left * Double(computed) / computing : .infinity
            // Parts shorter than this minimum would only increase the delay.
            size = max(Int(min(affordable, Double(Self.most + around)).rounded(.down)) - around, around, Self.first)
        }
        var end = min(frameCount, start + size)
        if frameCount - end < Self.first { end = frameCount }
        last = start..<end
        return last
    }
}
