import SynthAudio
import SynthSpeech

/// The mixing thread's state for one channel: the current item, the prepared items, and a few milliseconds of audio for the next block. Not
/// thread-safe.
struct ChannelPlayer {
    /// The results of filling the buffer.
    struct FillResult {
        var events: [SpeechQueue.Event] = []
        /// Items to start on another channel, and the output frame at which they start.
        var cues: [(item: PreparedItem, channel: SpeechQueue.Channel, frame: Int)] = []
        /// Items that must start listening.
        var listening: [QueuedListening] = []
        var failure: SpeechError?
    }
    struct QueuedListening {
        let item: ListeningItem
        let id: SpeechQueue.Item.ID
        let channel: SpeechQueue.Channel
        /// Whether the previous item is still playing.
        let isAhead: Bool
    }

    let channel: SpeechQueue.Channel
    private let channels: Int
    /// The number of frames in a fade, which are held back while more audio is expected.
    private let fadeFrames: Int
    /// The number of frames that an item needs before it starts, or before it resumes after an underrun.
    private let restartFrames: Int
    /// The queued items. The first item is the current item.
    private(set) var line: [PreparedItem] = []
    private var samples: [Float] = []
    private var hasBegun = false
    /// The number of frames added for the current pause.
    private var silence = 0
    /// Whether the last sample belongs to an item that has not finished.
    private var isInside = false
    /// Whether the channel has run out of audio. It stays silent until enough audio is available to resume.
    private(set) var isLate: Bool
    private var wasCut = false
    private var level: Float?

    /// - Parameter isHeard: whether the audio is played as it is produced, in which case underruns can occur.
    init(_ channel: SpeechQueue.Channel, _ format: SpeechFormat, isHeard: Bool) {
        self.channel = channel
        channels = format.channels
        fadeFrames = isHeard ? max(1, format.sampleRate * 3 / 1000) : 0
        restartFrames = format.sampleRate / 10
        isLate = isHeard
    }

    private var count: Int { samples.count / channels }

    var isEmpty: Bool { line.isEmpty && samples.isEmpty }

    /// The number of items, not counting pauses, that are ready or being prepared.
    var preparedCount: Int { line.count { if case .silence = $0.content { false } else { true } } }

    /// The number of frames that are available for a block.
    var readyFrames: Int { isInside && !isLate ? max(0, count - fadeFrames) : count }

    /// Allows the next utterance on this channel to start. A channel uses one engine lane at a time, so that a session
    /// has enough lanes for all channels.
    func giveTurns() {
        for (index, item) in line.enumerated() {
            guard item.takesTurns, let sound = item.sound else { continue }
            sound.giveTurn(isAwaited: fadeFrames > 0 && index == 0 && samples.isEmpty)
            if !sound.isMade { return }
        }
    }

    /// Whether the channel has fewer frames than a block needs, but more frames will follow.
    func lacks(_ frames: Int) -> Bool { !line.isEmpty && readyFrames < frames }

    mutating func add(_ item: PreparedItem) { line.append(item) }

    /// Adds silence up to an output frame, at which a cue starts an item.
    mutating func wait(until frame: Int, from output: Int) {
        let missing = frame - output - count
        if missing > 0, !isInside { samples += repeatElement(0, count: missing * channels) }
    }

    /// Whether no audio can be played before the user has spoken.
    var isListening: Bool { samples.isEmpty && line.first?.listening != nil }

    /// Starts listening with the next item while the current item plays, if the next item is configured to interrupt.
    private func listenAhead(at position: Int, _ result: inout FillResult) {
        guard hasBegun, line.count > 1, let next = line[1].listening, next.interrupts else { return }
        listen(line[1], next, isAhead: true, at: position, &result)
    }

    private func listen(
        _ prepared: PreparedItem, _ item: ListeningItem, isAhead: Bool, at position: Int, _ result: inout FillResult
    ) {
        let id = prepared.queued.id
        if !item.hasBegun {
            result.listening.append(QueuedListening(item: item, id: id, channel: channel, isAhead: isAhead))
        }
        // Once it is the item's turn, `fill` takes the events together with the outcome.
        if isAhead {
            result.events += item.take().events.map {
                SpeechQueue.Event(item: id, channel: channel, frame: position, kind: .heard($0))
            }
        }
    }

    /// Fills the buffer from the items until it contains a block plus a fade.
    ///
    /// - Parameter output: the next output frame.
    mutating func fill(_ frames: Int, from output: Int, _ result: inout FillResult) {
        while count < frames + fadeFrames, result.failure == nil, let item = line.first {
            let position = output + count
            listenAhead(at: position, &result)
            switch item.content {
            case .cue(let prepared, let channel):
                result.cues.append((prepared, channel, position))
                line.removeFirst()
            case .silence(let length):
                begin(at: position, &result)
                let part = min(length - silence, frames + fadeFrames - count)
                samples += repeatElement(0, count: part * channels)
                silence += part
                (isLate, wasCut) = (false, false)
                if silence == length { end(.complete, at: position + part, &result) }
            case .listening(let listening):
                guard samples.isEmpty else { return }
                begin(at: position, &result)
                listen(item, listening, isAhead: false, at: position, &result)
                listening.isFirst()
                let (events, outcome) = listening.take()
                result.events += events.map { event(.heard($0), at: position) }
                guard let outcome else { return }
                var failure: SpeechError?
                if case .failure(let error) = outcome { failure = error }
                end(failure.map { .failed($0) } ?? .complete, at: position, &result)
                result.failure = failure
            case .sound(let sound):
                let isBeginning = !hasBegun && fadeFrames > 0
                let taken = sound.take(
                    frames: frames + fadeFrames - count, ifThereAre: isLate || isBeginning ? restartFrames : 0)
                if taken.samples.isEmpty, !taken.isLast { return }
                begin(at: position, &result)
                add(taken.samples)
                result.events += taken.events.compactMap { event in
                    let frame = position + max(0, event.frame - taken.frame)
                    return Speech.Part(event).map { self.event(.part($0), at: frame) }
                }
                guard taken.isLast else { continue }
                end(taken.failure.map { .failed($0) } ?? .complete, at: output + count, &result)
                result.failure = taken.failure
            }
        }
    }

    /// Takes up to `frames` frames for a block.
    mutating func take(_ frames: Int, level: Float) -> MixerInput {
        let part = samples.prefix(min(frames, readyFrames) * channels)
        defer {
            samples.removeFirst(part.count)
            self.level = level
        }
        return MixerInput(part, level: level, from: self.level)
    }

    /// Fades out because of an underrun. Returns an event if the gap is audible.
    mutating func fallSilent(at output: Int) -> SpeechQueue.Event? {
        guard !isLate else { return nil }
        isLate = true
        guard isInside else { return nil }
        wasCut = true
        fadeOut()
        return event(.late, at: output + count)
    }

    mutating func skip(at output: Int, _ result: inout FillResult) {
        guard let item = line.first else { return }
        item.abandon()
        if isInside {
            samples.removeLast(max(0, count - max(fadeFrames, 1)) * channels)
            fadeOut()
        }
        wasCut = false
        end(.skipped, at: output + count, &result)
    }

    /// Drops all items that were appended before the item with this number.
    mutating func clear(before number: Int, at output: Int, _ result: inout FillResult) {
        var kept = line.filter { $0.queued.id.number >= number }
        let dropped = line.filter { $0.queued.id.number < number }
        for (index, item) in dropped.enumerated() {
            line = [item]
            // Only the first dropped item can be playing.
            if index > 0 { (isInside, hasBegun) = (false, false) }
            skip(at: output, &result)
        }
        swap(&line, &kept)
    }

    /// Releases all items and their threads, and drops the buffered audio.
    mutating func abandon() {
        endLine()
        samples = []
    }

    /// Releases all items and their threads, but keeps the audio for the next block.
    mutating func endLine() {
        for item in line { item.abandon() }
        line = []
    }

    private mutating func add(_ more: [Float]) {
        guard !more.isEmpty else { return }
        samples += more
        if wasCut {
            let frames = min(fadeFrames, more.count / channels)
            let start = samples.count - more.count
            for frame in 0..<frames {
                for index in 0..<channels { samples[start + frame * channels + index] *= Float(frame) / Float(frames) }
            }
        }
        (isInside, isLate, wasCut) = (true, false, false)
    }

    private mutating func fadeOut() {
        let frames = min(max(fadeFrames, 1), count)
        let start = samples.count - frames * channels
        for frame in 0..<frames {
            let factor = Float(frames - 1 - frame) / Float(frames)
            for index in 0..<channels { samples[start + frame * channels + index] *= factor }
        }
    }

    private mutating func begin(at frame: Int, _ result: inout FillResult) {
        if hasBegun { return }
        hasBegun = true
        result.events.append(event(.began, at: frame))
    }

    private mutating func end(_ ending: SpeechQueue.Event.Ending, at frame: Int, _ result: inout FillResult) {
        result.events.append(event(.ended(ending), at: frame))
        line.removeFirst()
        (hasBegun, isInside, silence) = (false, false, 0)
        // A channel without items counts as late, so that the mixer does not wait for the audio of the next item.
        if line.isEmpty { isLate = fadeFrames > 0 }
    }

    private func event(_ kind: SpeechQueue.Event.Kind, at frame: Int) -> SpeechQueue.Event {
        SpeechQueue.Event(
            item: line.first?.queued.id ?? SpeechQueue.Item.ID(number: -1), channel: channel, frame: frame, kind: kind)
    }
}
