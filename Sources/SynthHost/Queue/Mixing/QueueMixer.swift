import SynthAudio
import SynthSystem

/// Mixes the audio of all channels and passes it to a sink on the calling thread.
///
/// During playback, a late channel is omitted from the mix. When writing a file, the mixer waits for all channels, so that every run writes
/// the same audio.
struct QueueMixer {
    private let board: QueueBoard
    private let maker: ItemMaker
    private let options: SpeechQueue.Options
    private let onEvents: OnEvents
    private let blockFrames: Int
    private var output: QueueOutput
    private var mixer: Mixer
    private var players: [ChannelPlayer] = []
    private var places: [SpeechQueue.Channel: Int] = [:]
    /// The events whose audio has not yet been passed to the sink in full, ordered by frame.
    private var events: [SpeechQueue.Event] = []
    /// The number of frames mixed so far.
    private var frame = 0
    /// Whether silence has been added after the last item.
    private var isResting = false

    /// The maximum number of items that each channel prepares in advance.
    private static let maximumPrepared = 3
    /// The maximum number of items in `ChannelPlayer.line`, including pauses, which need no preparation.
    private static let longestLine = 16

    /// Receives the events of the next block and the number of frames that the sink already has. Called on the mixing thread.
    typealias OnEvents = (_ events: [SpeechQueue.Event], _ written: Int) -> Void

    init(
        _ board: QueueBoard, _ maker: ItemMaker, _ options: SpeechQueue.Options, to sink: any AudioSink,
        onEvents: @escaping OnEvents
    ) {
        self.board = board
        self.maker = maker
        self.options = options
        self.onEvents = onEvents
        let format = AudioFormat(sampleRate: options.format.sampleRate, channels: options.format.channels)
        blockFrames = max(1, format.sampleRate / 100)
        output = QueueOutput(sink, format)
        mixer = Mixer(format: format)
    }

    /// Blocks until all items have been played or the queue is cancelled. The sink is always finished if it was
    /// started.
    mutating func run() throws(SpeechError) -> QueueSummary {
        defer { for index in players.indices { players[index].abandon() } }
        do throws(SpeechError) {
            guard output.format.isUsable else { throw SpeechError(AudioError.formatUnusable(output.format)) }
            try mix()
        } catch {
            try? output.finish(isWhole: false)
            if !board.isCancelled { tell(upTo: .max) }
            throw error
        }
        try output.finish(isWhole: !board.isCancelled)
        if !board.isCancelled { tell(upTo: .max) }
        return summary(wasCancelled: board.isCancelled)
    }

    func summary(wasCancelled: Bool) -> QueueSummary {
        QueueSummary(format: output.format, frames: output.frames, wasCancelled: wasCancelled)
    }

    private mutating func mix() throws(SpeechError) {
        while true {
            let snapshot = board.snapshot()
            if snapshot.isCancelled { return }
            try obey(snapshot)
            try fill()
            if players.allSatisfy(\.isEmpty) {
                if snapshot.isFinished || !options.staysOpen { return try flush() }
                try rest()
                board.wait(after: snapshot)
            } else if try isReady(snapshot) {
                let frames = min(blockFrames, players.map(\.readyFrames).max() ?? 0)
                try mixBlock(frames)
            }
        }
    }

    private mutating func obey(_ snapshot: QueueBoard.Snapshot) throws(SpeechError) {
        for channel in snapshot.channels.dropFirst(players.count) { open(channel) }
        var result = ChannelPlayer.FillResult()
        for command in snapshot.commands {
            switch command {
            case .skip(let channel): places[channel].map { players[$0].skip(at: frame, &result) }
            case .clear(let channel, let number):
                places[channel].map { players[$0].clear(before: number, at: frame, &result) }
            }
        }
        try take(result, from: nil)
    }

    private mutating func open(_ channel: SpeechQueue.Channel) {
        places[channel] = players.count
        players.append(ChannelPlayer(channel, options.format, isHeard: maker.isHeard))
    }

    private mutating func fill() throws(SpeechError) {
        // Fill twice, because an item may start another item on a channel that has already been filled.
        for _ in 0..<2 {
            for index in players.indices {
                prepare(index)
                var result = ChannelPlayer.FillResult()
                players[index].fill(blockFrames, from: frame, &result)
                try take(result, from: index)
                prepare(index)
            }
        }
    }

    private mutating func prepare(_ index: Int) {
        let channel = players[index].channel
        while players[index].preparedCount < Self.maximumPrepared, players[index].line.count < Self.longestLine,
            let next = board.next(on: channel)
        {
            players[index].add(PreparedItem(next, on: channel, maker) { [board] in board.ring() })
        }
        players[index].giveTurns()
    }

    private mutating func take(_ result: ChannelPlayer.FillResult, from index: Int?) throws(SpeechError) {
        add(result.events)
        for cue in result.cues { begin(cue.item, on: cue.channel, at: cue.frame) }
        for listening in result.listening { begin(listening) }
        guard let failure = result.failure, options.onFailure == .end, let index else { return }
        // The audio before the error is still played, together with the same amount of audio from the other channels.
        for index in players.indices { players[index].endLine() }
        while players[index].readyFrames > 0 { try mixBlock(min(blockFrames, players[index].readyFrames)) }
        try flush()
        throw failure
    }

    private mutating func begin(_ item: PreparedItem, on channel: SpeechQueue.Channel, at frame: Int) {
        if places[channel] == nil {
            board.name(channel)
            for channel in board.channels.dropFirst(players.count) { open(channel) }
        }
        guard let position = places[channel], players[position].line.isEmpty, board.isEmpty(channel) else {
            // Queued items must not hold on to memory. This item is prepared again when its turn comes.
            item.abandon()
            board.append(item.queued, to: channel)
            return
        }
        players[position].wait(until: frame, from: self.frame)
        players[position].add(item)
        players[position].giveTurns()
    }

    /// Starts listening as soon as the earlier audio on the item's channel has been played, or while that audio is
    /// still playing if the item may interrupt it. Does not wait for other channels.
    private func begin(_ listening: ChannelPlayer.QueuedListening) {
        let (board, output, frame) = (board, output, frame)
        guard listening.isAhead else { return listening.item.begin(after: { output.left(until: frame) }) }
        listening.item.begin(after: { .zero }) { board.clear(listening.channel, before: listening.id) }
    }

    /// Whether a block can be mixed now. If not, the caller waits for a change.
    private mutating func isReady(_ snapshot: QueueBoard.Snapshot) throws(SpeechError) -> Bool {
        let lacking = players.indices.filter { players[$0].lacks(blockFrames) }
        if lacking.isEmpty { return true }
        guard maker.isHeard else {
            lift(for: lacking)
            board.wait(after: snapshot)
            return false
        }
        let newlyLate = lacking.filter { !players[$0].isLate }
        if !newlyLate.isEmpty {
            let timeout = output.timeout
            if timeout > .zero {
                board.wait(after: snapshot, timeout: timeout)
                return false
            }
            for index in newlyLate { players[index].fallSilent(at: frame).map { add([$0]) } }
        }
        if players.contains(where: { $0.readyFrames > 0 }) { return true }
        // While a listening item waits for the device to finish, add silence, because the device plays the end of its audio only when more
        // audio arrives.
        if players.contains(where: \.isListening) { try rest() } else { try flush() }
        board.wait(after: snapshot)
        return false
    }

    /// Prevents a deadlock. An utterance may be waiting for a lane of a session that the program also uses on another
    /// channel. The item that holds the lane must be able to finish, so the limit on its buffer is removed.
    private func lift(for lacking: [Int]) {
        let isBlocked = lacking.contains { index in
            guard let first = players[index].line.first, first.mayShareLanes else { return false }
            return first.sound?.hasBegun == false
        }
        for player in players { for item in player.line { item.sound?.setUnlimited(isBlocked && item.takesTurns) } }
    }

    private mutating func mixBlock(_ frames: Int) throws(SpeechError) {
        isResting = false
        var mixed: [Float] = []
        var inputs: [MixerInput] = []
        for index in players.indices {
            inputs.append(players[index].take(frames, level: board.level(of: players[index].channel)))
        }
        mixer.mix(inputs, frames: frames, into: &mixed)
        frame += frames
        // Report events before the sink blocks, because the sink plays the start of a block before it accepts the end.
        tell(upTo: output.frames + mixed.count / output.format.channels - 1)
        try output.write(mixed)
        onEvents([], output.frames)
    }

    /// Adds silence and flushes the sink while the queue is empty. A device starts only once it has buffered a few tens
    /// of milliseconds of audio, so the end of a short sound would otherwise not be played until the next sound
    /// arrived.
    private mutating func rest() throws(SpeechError) {
        if maker.isHeard, output.hasBegun, !isResting { try mixBlock(output.format.sampleRate / 20) }
        isResting = true
        try flush()
    }

    /// Passes the audio remaining in the mixer to the sink, because no more audio is available yet.
    private mutating func flush() throws(SpeechError) {
        var rest: [Float] = []
        mixer.finish(into: &rest)
        if !rest.isEmpty { try output.write(rest) }
        tell(upTo: output.frames)
    }

    private mutating func add(_ more: [SpeechQueue.Event]) {
        for event in more {
            let position = (events.lastIndex { $0.frame <= event.frame }).map { $0 + 1 } ?? 0
            events.insert(event, at: position)
        }
    }

    private mutating func tell(upTo frame: Int) {
        let told = events.prefix { $0.frame <= frame }
        events.removeFirst(told.count)
        onEvents(Array(told), output.frames)
    }
}
