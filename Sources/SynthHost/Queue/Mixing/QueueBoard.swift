import SynthSystem

/// What those who fill and steer a queue and the thread that mixes it share.
final class QueueBoard: Sendable {
    enum Command {
        case skip(SpeechQueue.Channel)
        /// Everything that was appended before an item of this number.
        case clear(SpeechQueue.Channel, before: Int)
    }

    private struct Line {
        var items = Fifo<QueuedItem>()
        var level: Float = 1
    }
    private struct State {
        /// Those that were named so far, in the order in which they were.
        var channels: [SpeechQueue.Channel] = []
        var lines: [SpeechQueue.Channel: Line] = [:]
        var commands: [Command] = []
        var nextNumber = 0
        var isFinished = false
        var isCancelled = false
        var isPlaying = false
        /// How often it was played, with this time.
        var plays = 0
        /// Ends what the thread that mixes may block in.
        var stop: (@Sendable () -> Void)?
        /// Counts what the thread that mixes may want to know.
        var news = 0
    }
    private let state = Monitor(State())

    // MARK: - Those who fill and steer

    func append(_ item: SpeechQueue.Item, to channel: SpeechQueue.Channel) -> SpeechQueue.Item.ID {
        change { state in
            let id = SpeechQueue.Item.ID(number: state.nextNumber)
            state.nextNumber += 1
            Self.line(channel, &state) { $0.items.append(QueuedItem(id: id, item: item)) }
            return id
        }
    }

    func skip(_ channel: SpeechQueue.Channel) {
        change { state in if state.isPlaying { state.commands.append(.skip(channel)) } }
    }

    /// Drops what stands in line; the thread that mixes drops what it has begun.
    func clear(_ channel: SpeechQueue.Channel) {
        change { state in
            state.lines[channel]?.items.removeAll()
            if state.isPlaying { state.commands.append(.clear(channel, before: state.nextNumber)) }
        }
    }

    /// Drops what was appended to a channel before an item.
    func clear(_ channel: SpeechQueue.Channel, before item: SpeechQueue.Item.ID) {
        change { state in if state.isPlaying { state.commands.append(.clear(channel, before: item.number)) } }
    }

    var channels: [SpeechQueue.Channel] { state.read { $0.channels } }

    func setLevel(_ level: Float, of channel: SpeechQueue.Channel) {
        change { state in Self.line(channel, &state) { $0.level = level } }
    }

    func finish() { change { $0.isFinished = true } }

    /// Ends what plays now, if anything does.
    ///
    /// - Parameter play: only if it is this one; nil = any.
    func cancel(_ play: Int? = nil) {
        let stop = change { state -> (@Sendable () -> Void)? in
            guard state.isPlaying, play == nil || play == state.plays else { return nil }
            state.isCancelled = true
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
    }

    private static func line(
        _ channel: SpeechQueue.Channel, _ state: inout State, _ body: (inout Line) -> Void
    ) {
        if state.lines[channel] == nil { state.channels.append(channel) }
        body(&state.lines[channel, default: Line()])
    }

    // MARK: - The thread that mixes

    /// The number of this play; nil if somebody plays it already.
    ///
    /// - Parameter stop: called on cancellation, on any thread; returns at once.
    func begin(stoppingBy stop: @escaping @Sendable () -> Void) -> Int? {
        change { state in
            if state.isPlaying { return nil }
            state.isPlaying = true
            state.plays += 1
            state.stop = stop
            state.isCancelled = false
            return state.plays
        }
    }

    /// - Parameter keepsItems: whether what still stands in line counts for the next time.
    func end(keepsItems: Bool) {
        change { state in
            state.isPlaying = false
            state.isFinished = false
            state.stop = nil
            state.commands = []
            if !keepsItems { for channel in state.channels { state.lines[channel]?.items.removeAll() } }
        }
    }

    /// Something that the thread may want to know happened elsewhere.
    func ring() { change { _ in } }

    /// What the thread has to look at.
    struct Look {
        let news: Int
        let channels: [SpeechQueue.Channel]
        let commands: [Command]
        let isFinished: Bool
        let isCancelled: Bool
    }

    func look() -> Look {
        state.update { state in
            defer { state.commands = [] }
            return Look(
                news: state.news, channels: state.channels, commands: state.commands, isFinished: state.isFinished,
                isCancelled: state.isCancelled)
        }
    }

    func next(on channel: SpeechQueue.Channel) -> QueuedItem? {
        state.update { $0.lines[channel]?.items.popFirst() }
    }

    /// Makes a channel known.
    func name(_ channel: SpeechQueue.Channel) { state.update { state in Self.line(channel, &state) { _ in } } }

    func isEmpty(_ channel: SpeechQueue.Channel) -> Bool { state.read { $0.lines[channel]?.items.isEmpty ?? true } }

    func append(_ item: QueuedItem, to channel: SpeechQueue.Channel) {
        state.update { state in Self.line(channel, &state) { $0.items.append(item) } }
    }

    func level(of channel: SpeechQueue.Channel) -> Float { state.read { $0.lines[channel]?.level ?? 1 } }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Blocks until something happened after a look, at most so long.
    func wait(after look: Look, timeout: Duration? = nil) {
        _ = state.wait(timeout: timeout) { $0.news != look.news || $0.isCancelled ? true : nil }
    }

    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.update { state in
            state.news += 1
            return body(&state)
        }
    }
}
