/// Takes away what an engine leaves of silence at the beginning or the end of an utterance, or what is too much of it, so
/// that a silence of exact length can take its place, or a sentence goes on. One thread at a time.
struct QuietEdges {
    /// What becomes of the silence at an edge.
    enum Edge {
        /// It stays.
        case kept
        /// At most so many frames of it stay.
        case atMost(Int)

        fileprivate var frames: Int? {
            switch self {
            case .kept: nil
            case .atMost(let frames): frames
            }
        }
    }

    /// Frames that were taken away at the beginning so far.
    private(set) var dropped = 0

    private let channels: Int
    private let startThreshold: Float
    private let endThreshold: Float
    /// Samples that may stay; nil = all, and at the start also once it is passed.
    private var start: Int?
    private let end: Int?
    /// Quiet samples that may be the end, or the whole start so far.
    private var held: [Float] = []

    /// Quieter than this nobody hears, beside speech: -60 dB.
    private static let silence: Float = 0.001

    /// - Parameter volume: the factor by which the sound is louder than it was made. At 0 all would be silence, and nothing
    ///   is taken away.
    init(channels: Int, volume: Float, start: Edge, end: Edge) {
        self.channels = max(channels, 1)
        startThreshold = Self.threshold(start, volume)
        endThreshold = Self.threshold(end, volume)
        self.start = volume > 0 ? start.frames.map { $0 * max(channels, 1) } : nil
        self.end = volume > 0 ? end.frames.map { $0 * max(channels, 1) } : nil
    }

    private static func threshold(_ edge: Edge, _ volume: Float) -> Float {
        if edge.frames == 0 { silence * min(volume, 1) } else { HeardPause.threshold * volume }
    }

    /// What of the samples, whole frames, is known to be neither edge.
    mutating func process(_ samples: [Float]) -> [Float] {
        var samples = samples
        if let limit = start {
            samples = held + samples
            held = []
            let first = samples.firstIndex { abs($0) > startThreshold }
            let quiet = first.map { $0 / channels * channels } ?? samples.count
            let surplus = max(0, quiet - limit)
            dropped += surplus / channels
            samples.removeFirst(surplus)
            guard first != nil else {
                held = samples
                return []
            }
            start = nil
        }
        guard end != nil else { return samples }
        guard let last = samples.lastIndex(where: { abs($0) > endThreshold }) else {
            held += samples
            return []
        }
        let edge = (last / channels + 1) * channels
        defer { held = Array(samples[edge...]) }
        return held + samples[..<edge]
    }

    /// What may stay of the end.
    mutating func finish() -> [Float] {
        defer { held = [] }
        if start != nil { return [] }
        return Array(held.prefix(end ?? 0))
    }
}

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
