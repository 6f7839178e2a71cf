/// Takes away what an engine leaves of silence at the beginning or the end of an utterance, so that a silence of exact
/// length can take its place. One thread at a time.
struct QuietEdges {
    /// Frames that were taken away at the beginning so far.
    private(set) var dropped = 0

    private let channels: Int
    private let threshold: Float
    private var isAtStart: Bool
    private let trimsEnd: Bool
    /// Quiet samples that may be the end.
    private var held: [Float] = []

    /// Quieter than this nobody hears, beside speech: -60 dB.
    private static let threshold: Float = 0.001

    /// - Parameter volume: the factor by which the sound is louder than it was made. At 0 all would be silence, and nothing
    ///   is taken away.
    init(channels: Int, volume: Float, trimsStart: Bool, trimsEnd: Bool) {
        self.channels = max(channels, 1)
        threshold = Self.threshold * min(volume, 1)
        isAtStart = trimsStart && volume > 0
        self.trimsEnd = trimsEnd && volume > 0
    }

    /// What of the samples, whole frames, is known to be neither edge.
    mutating func process(_ samples: [Float]) -> [Float] {
        var samples = samples[...]
        if isAtStart {
            guard let first = samples.firstIndex(where: { abs($0) > threshold }) else {
                dropped += samples.count / channels
                return []
            }
            isAtStart = false
            let quiet = (first - samples.startIndex) / channels
            dropped += quiet
            samples = samples.dropFirst(quiet * channels)
        }
        guard trimsEnd else { return Array(samples) }
        guard let last = samples.lastIndex(where: { abs($0) > threshold }) else {
            held += samples
            return []
        }
        let end = samples.startIndex + ((last - samples.startIndex) / channels + 1) * channels
        defer { held = Array(samples[end...]) }
        return held + samples[..<end]
    }
}
