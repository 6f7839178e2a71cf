/// In which parts a sound is made for somebody who waits for it: a short one first, so that it sounds soon, and longer
/// ones after it, because each part costs the frames around it as well.
///
/// A part is not so long that the sound which was handed over ends before it is ready, as far as the speed of the last
/// part tells.
public struct SoundPlan {
    /// Frames of the first part. With voices as they are published it is a fifth of a second.
    static let first = 16
    static let growth = 4
    /// Of the time until the sound ends, how much the next part may take.
    private static let share = 0.8

    private let frameCount: Int
    private let overlap: Int
    /// In seconds.
    private let frameDuration: Double
    private var last = 0..<0

    public init(_ sound: SoundInParts, sampleRate: Int) {
        self.init(
            frameCount: sound.frameCount, overlap: sound.overlap,
            frameDuration: Double(sound.samplesPerFrame) / Double(max(sampleRate, 1)))
    }

    init(frameCount: Int, overlap: Int, frameDuration: Double) {
        self.frameCount = frameCount
        self.overlap = overlap
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
        var size = start == 0 ? Self.first : last.count * Self.growth
        if start > 0, computing > 0 {
            let left = Double(start) * frameDuration - sounding
            let pace = computing / Double(last.count + 2 * overlap)
            let affordable = Self.share * left / pace - Double(2 * overlap)
            // Shorter ones would only make it worse.
            size = min(size, max(Int(affordable.rounded(.down)), 2 * overlap, Self.first))
        }
        var end = min(frameCount, start + size)
        if frameCount - end < Self.first { end = frameCount }
        last = start..<end
        return last
    }
}
