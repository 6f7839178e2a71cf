/// Finds out how much of the silence between two utterances the engine leaves at the beginning of the second one, so that
/// only the rest has to be added. Holds back quiet sound until the first that is heard. One thread at a time.
struct HeardPause {
    private let channels: Int
    private let threshold: Float
    /// Samples that are as long as the pause: more need not be held.
    private let limit: Int
    private var held: [Float] = []

    /// Between words nobody hears what is quieter than this, -50 dB: the noise of a neural voice is louder than -60 dB.
    static let threshold: Float = 0.003

    /// - Parameters:
    ///   - frames: how long the pause has to be.
    ///   - volume: the factor by which the sound is louder than it was made, above 0.
    init(frames: Int, channels: Int, volume: Float) {
        self.channels = max(channels, 1)
        threshold = Self.threshold * volume
        limit = frames * self.channels
    }

    /// Whole frames of sound.
    ///
    /// - Returns: nil while the utterance is still quiet; then all that was held, and how many frames of it are quiet.
    mutating func take(_ samples: [Float], isLast: Bool = false) -> (samples: [Float], quiet: Int)? {
        let start = held.count
        held += samples
        let heard = samples.firstIndex { abs($0) > threshold }
        guard heard != nil || isLast || held.count >= limit else { return nil }
        defer { held = [] }
        return (held, heard.map { (start + $0) / channels } ?? held.count / channels)
    }

    /// Frames at the end of a sound that nobody hears.
    ///
    /// - Parameter before: those right before it, which count if all of it is quiet.
    static func quiet(atEndOf samples: [Float], channels: Int, volume: Float, before: Int) -> Int {
        guard volume > 0 else { return 0 }
        let threshold = Self.threshold * volume
        guard let last = samples.lastIndex(where: { abs($0) > threshold }) else {
            return before + samples.count / max(channels, 1)
        }
        return (samples.count - 1 - last) / max(channels, 1)
    }
}
