/// Trims the silence that an engine produces at the edges of an utterance, so that the host can insert an exact pause
/// or continue a sentence. Not thread-safe.
struct QuietEdges {
    /// The number of frames removed from the start.
    private(set) var dropped = 0

    private let channels: Int
    private let startThreshold: Float
    private let endThreshold: Float
    /// The number of samples to keep at the start, or nil if all samples are kept or the start has already been
    /// processed.
    private var start: Int?
    private let end: Int?
    /// Quiet samples that may turn out to belong to an edge.
    private var held: [Float] = []

    /// Audio below this level (-60 dBFS) is inaudible next to speech.
    private static let silence: Float = 0.001

    /// - Parameters:
    ///   - volume: the gain applied to the engine's audio. If it is 0, nothing is removed, because all audio would be
    ///     considered silence.
    ///   - start, end: the maximum number of silent frames to keep at each edge, or nil to keep all of them.
    init(channels: Int, volume: Float, start: Int?, end: Int?) {
        self.channels = max(channels, 1)
        startThreshold = Self.threshold(start, volume)
        endThreshold = Self.threshold(end, volume)
        self.start = volume > 0 ? start.map { $0 * max(channels, 1) } : nil
        self.end = volume > 0 ? end.map { $0 * max(channels, 1) } : nil
    }

    private static func threshold(_ edge: Int?, _ volume: Float) -> Float {
        if edge == 0 { silence * min(volume, 1) } else { AudiblePause.threshold * volume }
    }

    /// Returns the complete frames that belong to neither edge.
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

    /// Returns the trailing silence to keep.
    mutating func finish() -> [Float] {
        defer { held = [] }
        if start != nil { return [] }
        return Array(held.prefix(end ?? 0))
    }
}

/// Measures how much silence the engine has already produced between two utterances, so that only the remainder of the
/// pause is added. Buffers quiet audio until the first audible sample. Not thread-safe.
struct AudiblePause {
    private let channels: Int
    private let threshold: Float
    /// The length of the pause in samples, which is also the maximum number of samples to buffer.
    private let limit: Int
    private var held: [Float] = []

    /// Between words, audio below -50 dBFS is inaudible. The threshold is higher than -60 dBFS because a neural voice's
    /// noise can exceed that level.
    static let threshold: Float = 0.003

    /// - Parameters:
    ///   - frames: the required length of the pause.
    ///   - volume: the gain applied to the engine's audio, greater than 0.
    init(frames: Int, channels: Int, volume: Float) {
        self.channels = max(channels, 1)
        threshold = Self.threshold * volume
        limit = frames * self.channels
    }

    /// Processes complete frames.
    ///
    /// - Returns: all buffered audio and the number of quiet frames at its start once an audible sample, the end of the
    ///   audio or the length of the pause is reached; nil until then.
    mutating func take(_ samples: [Float], isLast: Bool = false) -> (samples: [Float], quiet: Int)? {
        let start = held.count
        held += samples
        let heard = samples.firstIndex { abs($0) > threshold }
        guard heard != nil || isLast || held.count >= limit else { return nil }
        defer { held = [] }
        return (held, heard.map { (start + $0) / channels } ?? held.count / channels)
    }

    /// Counts the inaudible frames at the end of the audio.
    ///
    /// - Parameter before: the number of inaudible frames directly before the audio. They are added to the result if
    ///   all of the audio is quiet.
    static func quiet(atEndOf samples: [Float], channels: Int, volume: Float, before: Int) -> Int {
        guard volume > 0 else { return 0 }
        let threshold = Self.threshold * volume
        guard let last = samples.lastIndex(where: { abs($0) > threshold }) else {
            return before + samples.count / max(channels, 1)
        }
        return (samples.count - 1 - last) / max(channels, 1)
    }
}
