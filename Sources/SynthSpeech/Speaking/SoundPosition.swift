package import SynthAudio
import SynthSystem

/// How far the sound of a text has come. Used by the one thread that queues it.
package struct SoundPosition {
    /// A mark that comes before the first sound.
    struct EarlyMark {
        let name: String
        let source: Range<Int>
        /// The silence before it.
        let after: Duration
    }

    /// Frames that were queued since the beginning.
    var frames = 0
    /// The pause that is due before anything more is said; nil as long as nothing was.
    var pause: Duration?
    /// Frames at the end of what was queued that nobody hears, as the engine left them.
    var quiet = 0
    /// Silence of exact length that is due instead of the pause; nil = none was asked for.
    var silence: Duration?
    /// Whether what follows goes on with a sentence.
    var isInSentence = false
    /// Where in the document the word stands that an engine failed at; nil = before the first of its utterance.
    package var brokenWord: Int?
    /// In their order.
    var earlyMarks: [EarlyMark] = []

    package init() {}
}

extension SoundPosition {
    /// How much of an engine's silence stays at a rate of 1 where an utterance ends within a sentence: on either side of the
    /// joint, and after the mark of a clause.
    static let joint = Duration.milliseconds(30)
    static let clausePause = Duration.milliseconds(150)

    /// What may stay of the silence at the beginning of what follows; nil = all.
    var edge: Duration? {
        if silence != nil { return .zero }
        return isInSentence ? Self.joint : nil
    }

    /// Makes the silence that is due before more is said, and tells the marks that were met before the first sound.
    ///
    /// - Parameter quiet: frames of what follows that nobody hears. They count as a part of the pause.
    /// - Returns: false once no more is wanted.
    mutating func beginSound(
        in format: AudioFormat, into sound: SoundQueue, sourceEnd: Int, quiet: Int = 0
    ) -> Bool {
        let due =
            silence.map { Self.frames(of: $0, in: format) }
            ?? max(0, pauseFrames(in: format) - quiet)
        self.quiet = 0
        var marks = earlyMarks.map { mark in
            SpokenEvent(
                kind: .mark, frame: frames + Self.frames(of: mark.after, in: format), source: mark.source,
                label: mark.name)
        }
        silence = nil
        earlyMarks = []
        let end = frames + due
        if frames == end, !marks.isEmpty {
            return sound.push(SoundQueue.Piece(samples: [], sourceEnd: sourceEnd, events: marks))
        }
        // In blocks: a silence may be longer than the queue.
        while frames < end {
            let count = min(end - frames, format.sampleRate)
            frames += count
            let reached = marks.prefix { $0.frame < frames || frames == end }
            marks.removeFirst(reached.count)
            let piece = SoundQueue.Piece(
                samples: [Float](repeating: 0, count: count * format.channels), sourceEnd: sourceEnd,
                events: Array(reached))
            guard sound.push(piece) else { return false }
        }
        return true
    }

    /// The frames that the pause lacks.
    func pauseFrames(in format: AudioFormat) -> Int {
        max(0, Self.frames(of: pause ?? .zero, in: format) - quiet)
    }

    /// Takes a mark between what is spoken, after the silence that is due.
    mutating func reach(_ mark: String, source: Range<Int>, in sound: SoundQueue) {
        guard let format = sound.format else {
            earlyMarks.append(EarlyMark(name: mark, source: source, after: silence ?? .zero))
            return
        }
        let isExact = silence != nil
        if isExact { _ = beginSound(in: format, into: sound, sourceEnd: source.lowerBound) }
        _ = sound.push(
            SoundQueue.Piece(
                samples: [], sourceEnd: source.upperBound,
                events: [SpokenEvent(kind: .mark, frame: frames, source: source, label: mark)]))
        // What follows still comes after a silence of exact length.
        if isExact { silence = .zero }
    }

    /// Makes the silence at the end of a script. If the script is silence alone, no voice has set the format.
    package mutating func finish(in sound: SoundQueue, sourceEnd: Int) {
        guard let silence, silence > .zero || sound.format != nil else { return }
        let format = sound.format ?? sound.begin(.silent)
        _ = beginSound(in: format, into: sound, sourceEnd: sourceEnd)
    }

    package static func frames(of duration: Duration, in format: AudioFormat) -> Int {
        Int((duration.seconds * Double(format.sampleRate)).rounded())
    }
}
