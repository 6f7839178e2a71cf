import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthScript
import SynthSystem

/// Converts an engine's output for one utterance into chunks for the queue: pending silence, processed audio, and
/// events with their frames and source positions. Not thread-safe.
struct UtteranceSound {
    /// The maximum length of an utterance in frames. This limit protects against invalid frame numbers from the engine.
    private static let lastFrame: UInt64 = 1 << 40

    private let utterance: Utterance
    private let sound: SoundQueue
    private let wants: EventKinds
    private let volume: Float
    /// The speed factor. Engine silence that is not trimmed is shortened by this factor.
    private let rate: Double
    private let makeChain: (_ from: AudioFormat, _ to: AudioFormat) throws(AudioError) -> UtteranceChain
    private var chain: UtteranceChain?
    private var edges: QuietEdges?
    /// Buffers audio until the pause that precedes it is complete; nil afterward.
    private var heardPause: AudiblePause?
    private var position: SoundPosition
    /// The utterance's first frame in the output.
    private var start = 0
    /// Events whose audio has not been produced yet. Their frame numbers include the silence that is trimmed at the
    /// edges.
    private var events: [SpokenEvent] = []
    private var marks: ArraySlice<Utterance.Mark>
    /// The document offset of the last word that started, or nil if there is none or words were not requested.
    private(set) var lastWord: Int?

    /// - Parameters:
    ///   - wants: the events to report. Marks are always reported.
    ///   - volume: the chain's gain, excluding loudness matching between voices.
    ///   - rate: the combined speed factor of the engine and the chain.
    init(
        _ utterance: Utterance, at position: SoundPosition, into sound: SoundQueue,
        wants: EventKinds, volume: Float, rate: Double = 1,
        chain: @escaping (_ from: AudioFormat, _ to: AudioFormat) throws(AudioError) -> UtteranceChain
    ) {
        self.utterance = utterance
        self.position = position
        self.sound = sound
        self.wants = wants
        self.volume = volume
        self.rate = rate
        marks = utterance.marks[...]
        makeChain = chain
    }

    /// Processes part of the engine's output. Blocks while the queue is full. Returns false if no more audio is needed.
    ///
    /// - Parameter part: a part whose event ranges refer to the utterance's text.
    mutating func take(_ part: SpeechPart) throws(AudioError) -> Bool {
        switch part {
        case .begin(let sampleRate, let channels):
            return try begin(AudioFormat(sampleRate: sampleRate, channels: channels))
        case .audio(let samples):
            guard let processed = try chain?.process(samples), !processed.isEmpty else { return true }
            return push(processed)
        case .event(let event):
            let given = Int(min(event.frame, Self.lastFrame))
            guard let frame = chain?.outputFrame(forInput: given) else { return true }
            let text = event.text
            if event.kind == .word { takeMarks(before: max(text.lowerBound + 1, text.upperBound), at: start + frame) }
            guard wants.contains(event.kind) else { return true }
            events.append(
                SpokenEvent(
                    kind: event.kind, frame: start + frame, source: utterance.source.sourceRange(of: text), text: text,
                    label: event.label))
            return true
        }
    }

    private mutating func begin(_ input: AudioFormat) throws(AudioError) -> Bool {
        let output = sound.begin(input)
        chain = try makeChain(input, output)
        edges = QuietEdges(
            channels: output.channels, volume: volume, start: edge(position.edge, output),
            end: edge(endEdge, output))
        let pause = position.silence == nil ? position.pauseFrames(in: output) : 0
        if pause > 0, volume > 0 {
            heardPause = AudiblePause(frames: pause, channels: output.channels, volume: volume)
        } else if !beginSound(in: output) {
            return false
        }
        start = position.frames
        takeMarks(before: 1, at: start)
        if wants.contains(.sentence) {
            events.append(
                SpokenEvent(
                    kind: .sentence, frame: start, source: utterance.sourceRange, text: 0..<utterance.text.utf8.count,
                    utterance: utterance))
        }
        return true
    }

    /// The maximum silence to keep after the utterance, or nil to keep all of it.
    private var endEdge: Duration? {
        switch utterance.pauseAfter {
        case .silence: .zero
        case .none: utterance.endsClause ? SoundPosition.clausePause : SoundPosition.joint
        case .sentence, .paragraph, .heading: nil
        }
    }

    private func edge(_ silence: Duration?, _ format: AudioFormat) -> Int? {
        silence.map { SoundPosition.frames(of: $0 / rate, in: format) }
    }

    /// Queues the silence before the utterance and shifts the pending events by its length.
    ///
    /// - Parameter quiet: the number of inaudible frames at the start of the utterance.
    private mutating func beginSound(in format: AudioFormat, quiet: Int = 0) -> Bool {
        let before = position.frames
        guard
            position.beginSound(
                in: format, into: sound, sourceEnd: utterance.sourceRange.lowerBound, quiet: quiet)
        else { return false }
        let added = position.frames - before
        start += added
        for index in events.indices { events[index].frame += added }
        return true
    }

    /// Returns the audio that can be queued, which is empty until the pause is complete. Returns nil if no more audio
    /// is needed.
    private mutating func afterPause(_ samples: [Float], isLast: Bool = false) -> [Float]? {
        guard heardPause != nil, let format = sound.format else { return samples }
        guard let (held, quiet) = heardPause?.take(samples, isLast: isLast) else { return [] }
        heardPause = nil
        return beginSound(in: format, quiet: quiet) ? held : nil
    }

    /// The position within the audio at which the engine failed.
    var brokenOff: SoundPosition {
        // Before the first audio, the pause is still pending.
        guard chain != nil, heardPause == nil else { return position }
        var position = position
        position.pause = nil
        position.isInSentence = true
        return position
    }

    /// Queues the remaining audio and returns the new position.
    ///
    /// - Parameter pause: the pause that follows the utterance.
    mutating func finish(pause: Duration) throws(AudioError) -> SoundPosition {
        let ending = edges?.process(try chain?.finish() ?? []) ?? []
        let rest = afterPause(ending + (edges?.finish() ?? []), isLast: true) ?? []
        takeMarks(before: .max, at: .max)
        // If time-stretching produced fewer frames than the engine reported, the last events belong to the last frame.
        let last = max(position.frames, position.frames + rest.count / (sound.format?.channels ?? 1) - 1)
        let dropped = edges?.dropped ?? 0
        for index in events.indices { events[index].frame = min(events[index].frame, last + dropped) }
        if chain != nil { _ = push(ready: rest, isLast: true) }
        position.pause = chain == nil ? position.pause.map { max($0, pause) } : pause
        if chain != nil { position.isInSentence = utterance.pauseAfter == .none }
        return position
    }

    private mutating func takeMarks(before end: Int, at frame: Int) {
        while let mark = marks.first, mark.offset < end {
            marks.removeFirst()
            events.append(SpokenEvent(kind: .mark, frame: frame, source: mark.source, label: mark.name))
        }
    }

    private mutating func push(_ samples: [Float]) -> Bool {
        guard let ready = afterPause(edges?.process(samples) ?? samples) else { return false }
        return ready.isEmpty || push(ready: ready)
    }

    private mutating func push(ready samples: [Float], isLast: Bool = false) -> Bool {
        let channels = sound.format?.channels ?? 1
        position.frames += samples.count / channels
        position.quiet = AudiblePause.quiet(
            atEndOf: samples, channels: channels, volume: volume, before: position.quiet)
        let dropped = edges?.dropped ?? 0
        let reached = events.prefix { $0.frame - dropped < position.frames || isLast }
        events.removeFirst(reached.count)
        if let word = reached.last(where: { $0.kind == .word }) { lastWord = word.source.lowerBound }
        return sound.push(
            SoundQueue.Piece(
                samples: samples, sourceEnd: utterance.sourceRange.upperBound,
                events: reached.map { event in
                    var event = event
                    event.frame = max(start, event.frame - dropped)
                    return event
                },
                utteranceEnd: isLast ? position.frames : nil))
    }
}
