import SynthAudio
import SynthSpeech

/// One channel of a queue as the thread that mixes sees it: the item that sounds, those that are prepared, and the few
/// milliseconds that go into the next block. One thread uses it.
struct ChannelPlayer {
    /// What filling the channel brought to light.
    struct News {
        var events: [SpeechQueue.Event] = []
        /// Items that are to begin on another channel, and the frame of the output at which.
        var cues: [(item: PreparedItem, channel: SpeechQueue.Channel, frame: Int)] = []
        /// Items that are to listen now.
        var listening: [QueuedListening] = []
        var failure: SpeechError?
    }
    struct QueuedListening {
        let item: ListeningItem
        let id: SpeechQueue.Item.ID
        let channel: SpeechQueue.Channel
        /// The item before it still sounds.
        let isAhead: Bool
    }

    let channel: SpeechQueue.Channel
    private let channels: Int
    /// The length of a fade, which is held back while more is to come.
    private let fadeFrames: Int
    /// What must be there of an item to begin with it, and to go on after it was late.
    private let restartFrames: Int
    /// The item that sounds comes first.
    private(set) var line: [PreparedItem] = []
    private var samples: [Float] = []
    private var hasBegun = false
    /// Silence of the first item that is over.
    private var silence = 0
    /// The last sample is inside of an item that goes on.
    private var isInside = false
    /// What comes next is late: nothing is taken of it before there is enough to go on with.
    private(set) var isLate: Bool
    private var wasCut = false
    private var level: Float?

    /// - Parameter isHeard: the sound is played as it comes, so that it may be late.
    init(_ channel: SpeechQueue.Channel, _ format: SpeechFormat, isHeard: Bool) {
        self.channel = channel
        channels = format.channels
        fadeFrames = isHeard ? max(1, format.sampleRate * 3 / 1000) : 0
        restartFrames = format.sampleRate / 10
        isLate = isHeard
    }

    /// In frames.
    private var count: Int { samples.count / channels }

    var isEmpty: Bool { line.isEmpty && samples.isEmpty }

    /// Items whose sound is being made, or waits.
    var preparedCount: Int { line.count { if case .silence = $0.content { false } else { true } } }

    /// What can go into a block now.
    var readyFrames: Int { isInside && !isLate ? max(0, count - fadeFrames) : count }

    /// Lets speeches be made one after the other: a channel takes one lane of an engine at a time, so that those of a
    /// session suffice for as many channels.
    func giveTurns() {
        for (index, item) in line.enumerated() {
            guard item.takesTurns, let sound = item.sound else { continue }
            sound.give(ItemSound.Turn(isAwaited: fadeFrames > 0 && index == 0 && samples.isEmpty))
            if !sound.isMade { return }
        }
    }

    /// Whether it has less than a block needs, and more is to come.
    func lacks(_ frames: Int) -> Bool { !line.isEmpty && readyFrames < frames }

    mutating func add(_ item: PreparedItem) { line.append(item) }

    /// Silence until a frame of the output, before an item that a cue lets begin.
    mutating func wait(until frame: Int, from output: Int) {
        let missing = frame - output - count
        if missing > 0, !isInside { samples += repeatElement(0, count: missing * channels) }
    }

    /// Whether it has nothing to play before somebody has spoken.
    var isListening: Bool { samples.isEmpty && line.first?.listening != nil }

    /// Lets the item that comes next listen while this one sounds, if it may.
    private func listenAhead(at place: Int, _ news: inout News) {
        guard hasBegun, line.count > 1, let next = line[1].listening, next.interrupts else { return }
        listen(line[1], next, isAhead: true, at: place, &news)
    }

    private func listen(
        _ prepared: PreparedItem, _ item: ListeningItem, isAhead: Bool, at place: Int, _ news: inout News
    ) {
        let id = prepared.queued.id
        if !item.hasBegun {
            news.listening.append(QueuedListening(item: item, id: id, channel: channel, isAhead: isAhead))
        }
        // What comes with the end is told by then.
        if isAhead {
            news.events += item.takeEvents().map {
                SpeechQueue.Event(item: id, channel: channel, frame: place, kind: .heard($0))
            }
        }
    }

    /// Takes what there is from its items until a block and a fade are there.
    ///
    /// - Parameter output: the frame of the output that comes next.
    mutating func fill(_ frames: Int, from output: Int, _ news: inout News) {
        while count < frames + fadeFrames, news.failure == nil, let item = line.first {
            let place = output + count
            listenAhead(at: place, &news)
            switch item.content {
            case .cue(let prepared, let channel):
                news.cues.append((prepared, channel, place))
                line.removeFirst()
            case .silence(let length):
                begin(at: place, &news)
                let part = min(length - silence, frames + fadeFrames - count)
                samples += repeatElement(0, count: part * channels)
                silence += part
                (isLate, wasCut) = (false, false)
                if silence == length { end(.complete, at: place + part, &news) }
            case .listening(let listening):
                guard samples.isEmpty else { return }
                begin(at: place, &news)
                listen(item, listening, isAhead: false, at: place, &news)
                listening.isFirst()
                let (events, outcome) = listening.take()
                news.events += events.map { event(.heard($0), at: place) }
                guard let outcome else { return }
                var failure: SpeechError?
                if case .failure(let error) = outcome { failure = error }
                end(failure.map { .failed($0) } ?? .complete, at: place, &news)
                news.failure = failure
            case .sound(let sound):
                let isBeginning = !hasBegun && fadeFrames > 0
                let taken = sound.take(
                    frames: frames + fadeFrames - count, ifThereAre: isLate || isBeginning ? restartFrames : 0)
                if taken.samples.isEmpty, !taken.isLast { return }
                begin(at: place, &news)
                add(taken.samples)
                news.events += taken.events.compactMap { event in
                    let frame = place + max(0, event.frame - taken.frame)
                    return Speech.Part(event).map { self.event(.part($0), at: frame) }
                }
                guard taken.isLast else { continue }
                end(taken.failure.map { .failed($0) } ?? .complete, at: output + count, &news)
                news.failure = taken.failure
            }
        }
    }

    /// What goes into a block, at most so many frames.
    mutating func take(_ frames: Int, level: Float) -> MixerInput {
        let part = samples.prefix(min(frames, readyFrames) * channels)
        defer {
            samples.removeFirst(part.count)
            self.level = level
        }
        return MixerInput(part, level: level, from: self.level)
    }

    /// What comes next is late: what waits fades out. Gives the event if the listener hears it.
    mutating func fallSilent(at output: Int) -> SpeechQueue.Event? {
        guard !isLate else { return nil }
        isLate = true
        guard isInside else { return nil }
        wasCut = true
        fadeOut()
        return event(.late, at: output + count)
    }

    /// Drops the item that sounds.
    mutating func skip(at output: Int, _ news: inout News) {
        guard let item = line.first else { return }
        item.abandon()
        if isInside {
            samples.removeLast(max(0, count - max(fadeFrames, 1)) * channels)
            fadeOut()
        }
        wasCut = false
        end(.skipped, at: output + count, &news)
    }

    /// Drops all items that were appended before one of this number.
    mutating func clear(before number: Int, at output: Int, _ news: inout News) {
        var kept = line.filter { $0.queued.id.number >= number }
        let dropped = line.filter { $0.queued.id.number < number }
        for (index, item) in dropped.enumerated() {
            line = [item]
            // Only the first of them sounds.
            if index > 0 { (isInside, hasBegun) = (false, false) }
            skip(at: output, &news)
        }
        swap(&line, &kept)
    }

    /// Ends the threads of all items.
    mutating func abandon() {
        for item in line { item.abandon() }
        line = []
        samples = []
    }

    /// Ends the threads of all items; what waits for the next block is still there.
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

    private mutating func begin(at frame: Int, _ news: inout News) {
        if hasBegun { return }
        hasBegun = true
        news.events.append(event(.began, at: frame))
    }

    private mutating func end(_ ending: SpeechQueue.Event.Ending, at frame: Int, _ news: inout News) {
        news.events.append(event(.ended(ending), at: frame))
        line.removeFirst()
        (hasBegun, isInside, silence) = (false, false, 0)
        // What is appended later begins when it can.
        if line.isEmpty { isLate = fadeFrames > 0 }
    }

    private func event(_ kind: SpeechQueue.Event.Kind, at frame: Int) -> SpeechQueue.Event {
        SpeechQueue.Event(
            item: line.first?.queued.id ?? SpeechQueue.Item.ID(number: -1), channel: channel, frame: frame, kind: kind)
    }
}
