package import SynthAudio
import SynthSystem

/// The current position within the audio of a text. Used only on the thread that queues the audio.
package struct SoundPosition {
    struct EarlyMark {
        let name: String
        let source: Range<Int>
        /// The silence before the mark.
        let after: Duration
    }

    /// The number of queued frames.
    var frames = 0
    /// The pause before the next audio, or nil before the first audio.
    var pause: Duration?
    /// The number of inaudible frames that the engine produced at the end of the queued audio.
    var quiet = 0
    /// The exact length of silence that replaces the pause, or nil if none was requested.
    var silence: Duration?
    /// Whether the next audio continues a sentence.
    var isInSentence = false
    /// The document offset of the word at which an engine failed, or nil if it failed before the utterance's first word.
    package var brokenWord: Int?
    /// Marks before the first audio, in order.
    var earlyMarks: [EarlyMark] = []

    package init() {}
}

extension SoundPosition {
    /// The maximum silence to keep on each side of a boundary between utterances of the same sentence, at a rate of 1.
    /// After clause punctuation, `clausePause` applies instead.
    static let joint = Duration.milliseconds(30)
    static let clausePause = Duration.milliseconds(150)

    /// The maximum silence to keep at the start of the next audio, or nil to keep all of it.
    var edge: Duration? {
        if silence != nil { return .zero }
        return isInSentence ? Self.joint : nil
    }

    /// Queues the pending silence and reports the marks that precede the first audio.
    ///
    /// - Parameter quiet: the number of inaudible frames at the start of the next audio. They are part of the pause.
    /// - Returns: false if no more audio is needed.
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
        // Split the silence, because it may exceed the capacity of the queue.
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

    /// Returns the number of frames to add to complete the pause.
    func pauseFrames(in format: AudioFormat) -> Int {
        max(0, Self.frames(of: pause ?? .zero, in: format) - quiet)
    }

    /// Handles a mark between utterances, after the pending silence.
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
        // The requested silence has been queued, so do not add a pause before the next audio.
        if isExact { silence = .zero }
    }

    /// Queues the silence at the end of a script. If the script contains only silence, also sets the format.
    package mutating func finish(in sound: SoundQueue, sourceEnd: Int) {
        guard let silence, silence > .zero || sound.format != nil else { return }
        let format = sound.format ?? sound.begin(.silent)
        _ = beginSound(in: format, into: sound, sourceEnd: sourceEnd)
    }

    package static func frames(of duration: Duration, in format: AudioFormat) -> Int {
        Int((duration.seconds * Double(format.sampleRate)).rounded())
    }
}
