import SynthSystem

/// The state that a queue's clients share with its mixing thread.
final class QueueBoard: Sendable {
    enum Command {
        case skip(SpeechQueue.Channel)
        /// Removes all items that were appended before the item with this number.
        case clear(SpeechQueue.Channel, before: Int)
    }

    private struct Line {
        var items = Fifo<QueuedItem>()
        var level: Float = 1
    }
    private struct State {
        /// The channels in order of first use.
        var channels: [SpeechQueue.Channel] = []
        var lines: [SpeechQueue.Channel: Line] = [:]
        var commands: [Command] = []
        var nextNumber = 0
        var isFinished = false
        var isCancelled = false
        var isPlaying = false
        /// The number of times that playback has been started.
        var plays = 0
        var stop: (@Sendable () -> Void)?
        /// The number of changes so far to which the mixing thread may have to react.
        var changeCount = 0
    }
    private let state = Monitor(State())

    // MARK: - Clients

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

    /// Drops the queued items. The mixing thread drops the items that it has already taken.
    func clear(_ channel: SpeechQueue.Channel) {
        change { state in
            state.lines[channel]?.items.removeAll()
            if state.isPlaying { state.commands.append(.clear(channel, before: state.nextNumber)) }
        }
    }

    /// Drops the items that were appended to a channel before a given item.
    func clear(_ channel: SpeechQueue.Channel, before item: SpeechQueue.Item.ID) {
        change { state in if state.isPlaying { state.commands.append(.clear(channel, before: item.number)) } }
    }

    var channels: [SpeechQueue.Channel] { state.read { $0.channels } }

    func setLevel(_ level: Float, of channel: SpeechQueue.Channel) {
        change { state in Self.line(channel, &state) { $0.level = level } }
    }

    func finish() { change { $0.isFinished = true } }

    /// Ends the current playback.
    ///
    /// - Parameter play: the playback to end, or nil for any.
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

    // MARK: - Mixing thread

    /// Starts playback and returns its number, or nil if the queue is already playing.
    ///
    /// - Parameter stop: called on any thread when playback is cancelled. It must not block.
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

    /// - Parameter keepsItems: whether queued items remain for the next playback.
    func end(keepsItems: Bool) {
        change { state in
            state.isPlaying = false
            state.isFinished = false
            state.stop = nil
            state.commands = []
            if !keepsItems { for channel in state.channels { state.lines[channel]?.items.removeAll() } }
        }
    }

    /// Wakes the mixing thread after a change outside the board.
    func ring() { change { _ in } }

    struct Snapshot {
        let changeCount: Int
        let channels: [SpeechQueue.Channel]
        let commands: [Command]
        let isFinished: Bool
        let isCancelled: Bool
    }

    func snapshot() -> Snapshot {
        state.update { state in
            defer { state.commands = [] }
            return Snapshot(
                changeCount: state.changeCount, channels: state.channels, commands: state.commands,
                isFinished: state.isFinished,
                isCancelled: state.isCancelled)
        }
    }

    func next(on channel: SpeechQueue.Channel) -> QueuedItem? {
        state.update { $0.lines[channel]?.items.popFirst() }
    }

    func name(_ channel: SpeechQueue.Channel) { state.update { state in Self.line(channel, &state) { _ in } } }

    func isEmpty(_ channel: SpeechQueue.Channel) -> Bool { state.read { $0.lines[channel]?.items.isEmpty ?? true } }

    func append(_ item: QueuedItem, to channel: SpeechQueue.Channel) {
        state.update { state in Self.line(channel, &state) { $0.items.append(item) } }
    }

    func level(of channel: SpeechQueue.Channel) -> Float { state.read { $0.lines[channel]?.level ?? 1 } }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Blocks until there has been a change since the snapshot, or until the timeout expires.
    func wait(after snapshot: Snapshot, timeout: Duration? = nil) {
        _ = state.wait(timeout: timeout) { $0.changeCount != snapshot.changeCount || $0.isCancelled ? true : nil }
    }

    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.update { state in
            state.changeCount += 1
            return body(&state)
        }
    }
}
