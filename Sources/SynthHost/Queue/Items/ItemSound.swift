import SynthSpeech
import SynthSystem

/// A one-second audio buffer between an item's producing thread and the mixing thread, in the queue's format.
final class ItemSound: Sendable {
    struct Taken {
        /// Interleaved samples of complete frames.
        var samples: [Float] = []
        /// The events in these frames. Their positions are relative to the start of the item.
        var events: [SpokenEvent] = []
        /// The position of the first frame, relative to the start of the item.
        var frame = 0
        var isLast = false
        var failure: SpeechError?
    }

    private struct State: CancellableState {
        var blocks = Fifo<[Float]>()
        /// The number of samples consumed from the first block.
        var offset = 0
        var events = Fifo<SpokenEvent>()
        /// The number of frames produced.
        var made = 0
        /// The number of frames consumed.
        var taken = 0
        var isUnlimited = false
        /// Whether a listener is waiting for the first audio, or nil until the utterance may use an engine lane.
        var turn: Bool?
        var isOver = false
        var isCancelled = false
        var failure: SpeechError?
        var stop: (@Sendable () -> Void)?
    }

    private let state = Monitor(State())
    private let channels: Int
    private let maximumFrames: Int
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called on the producing thread when more audio is available or the audio has ended.
    init(format: SpeechFormat, onChange: @escaping @Sendable () -> Void) {
        channels = format.channels
        maximumFrames = format.sampleRate
        self.onChange = onChange
    }

    // MARK: - Producing thread

    /// Blocks until the utterance may use an engine lane.
    ///
    /// - Returns: whether a listener is waiting for the first audio, or nil if the utterance is no longer needed.
    func waitForTurn() -> Bool? {
        state.wait { state -> Bool?? in state.isCancelled ? .some(nil) : state.turn.map { .some($0) } } ?? nil
    }

    /// Blocks while the buffer is full. Returns false if no more audio is needed.
    func push(_ samples: [Float], _ events: [SpokenEvent] = []) -> Bool {
        let isWanted = state.wait { state -> Bool? in
            if state.isCancelled { return false }
            guard state.made - state.taken < maximumFrames || state.isUnlimited else { return nil }
            for event in events { state.events.append(event) }
            if !samples.isEmpty { state.blocks.append(samples) }
            state.made += samples.count / channels
            return true
        }
        onChange()
        return isWanted ?? false
    }

    func finish(_ failure: SpeechError? = nil) {
        state.update { state in
            state.isOver = true
            state.failure = failure
            state.stop = nil
        }
        onChange()
    }

    /// Registers a callback that stops the work. It is called immediately if the audio is no longer needed.
    func stopping(by stop: @escaping @Sendable () -> Void) { state.stopping(by: stop) }

    // MARK: - Mixing thread

    func giveTurn(isAwaited: Bool) { state.update { if $0.turn == nil { $0.turn = isAwaited } } }

    /// Whether all audio has been produced, even if not all of it has been consumed.
    var isMade: Bool { state.read { $0.isOver } }

    /// Whether any audio or an error is available.
    var hasBegun: Bool { state.read { $0.made > 0 || $0.isOver } }

    /// Sets whether the buffer grows without limit, so that this item cannot block the synthesis of another one.
    func setUnlimited(_ isUnlimited: Bool) { state.update { $0.isUnlimited = isUnlimited } }

    /// Takes up to `most` frames. Never blocks.
    ///
    /// - Parameter least: the minimum number of frames. Nothing is taken if fewer frames are available and more frames
    ///   will follow.
    func take(frames most: Int, ifThereAre least: Int = 0) -> Taken {
        state.update { state in
            var taken = Taken(frame: state.taken)
            if state.made - state.taken < least, !state.isOver { return taken }
            while taken.samples.count < most * channels, let block = state.blocks.first {
                let part = block[state.offset...].prefix(most * channels - taken.samples.count)
                taken.samples += part
                state.offset += part.count
                guard state.offset == block.count else { break }
                _ = state.blocks.popFirst()
                state.offset = 0
            }
            state.taken += taken.samples.count / channels
            taken.isLast = state.isOver && state.blocks.isEmpty
            while let event = state.events.first, event.frame < state.taken || taken.isLast {
                taken.events.append(event)
                _ = state.events.popFirst()
            }
            if taken.isLast { taken.failure = state.failure }
            return taken
        }
    }

    /// Drops the audio and stops the producing thread. Can be called from any thread; does not block.
    func abandon() {
        let stop = state.update { state in
            state.isCancelled = true
            state.blocks.removeAll()
            state.events.removeAll()
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
    }
}
