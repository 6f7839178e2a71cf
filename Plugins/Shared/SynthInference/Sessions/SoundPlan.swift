/// In which parts a sound is made: few and long ones, because each costs the frames around it as well, but none so long that
/// it needs much memory.
///
/// For somebody who waits the first part is short, so that it sounds soon, and none is so long that the sound which was handed
/// over ends before it is ready, as far as the speed of the last part tells.
public struct SoundPlan {
    /// Frames of the first part for somebody who waits. With voices as they are published it is a fifth of a second.
    static let first = 16
    /// Frames of a part, at most: four seconds and a half.
    static let most = 384
    /// Of the time until the sound ends, how much the next part may take. The host may stretch the sound and play it up to four times as
    /// fast; the rest is for a machine that becomes slower.
    private static let share = 0.7 / 4

    private let frameCount: Int
    /// Frames before and after a part that are computed again.
    private let overlap: Int
    /// Frames after the first part that its run reads.
    private let lookahead: Int
    /// In seconds.
    private let frameDuration: Double
    private let isAwaited: Bool
    private var last = 0..<0

    /// - Parameter isAwaited: Whether the sound should begin soon, even if all of it then takes longer.
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

    /// The next part in frames; `nil` after the last one.
    ///
    /// - Parameters:
    ///   - sounding: The time since the first part was handed over, in seconds.
    ///   - computing: How long the last part took, in seconds.
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
            // Shorter ones would only make it worse.
            size = max(Int(min(affordable, Double(Self.most + around)).rounded(.down)) - around, around, Self.first)
        }
        var end = min(frameCount, start + size)
        if frameCount - end < Self.first { end = frameCount }
        last = start..<end
        return last
    }
}
