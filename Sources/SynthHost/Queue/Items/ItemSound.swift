import SynthSpeech
import SynthSystem

/// The sound of one item, in the format of the queue, on its way from the thread that makes it to the one that mixes: a
/// second of it.
final class ItemSound: Sendable {
    struct Taken {
        /// Interleaved; whole frames.
        var samples: [Float] = []
        /// Those of the frames that were taken; frames count from the beginning of the item.
        var events: [SpokenEvent] = []
        /// The frame of the item at which the samples begin.
        var frame = 0
        /// Nothing comes after it.
        var isLast = false
        var failure: SpeechError?
    }

    private struct State {
        var blocks = Fifo<[Float]>()
        /// Samples of the first block that were taken.
        var offset = 0
        var events = Fifo<SpokenEvent>()
        /// In frames.
        var made = 0
        var taken = 0
        var isUnlimited = false
        var turn: Turn?
        var isOver = false
        var isAbandoned = false
        var failure: SpeechError?
        /// Stops whatever the thread blocks in.
        var stop: (@Sendable () -> Void)?
    }

    /// The right of a speech to take a lane of an engine.
    struct Turn {
        /// Somebody waits for its first sound.
        let isAwaited: Bool
    }

    private let state = Monitor(State())
    private let channels: Int
    private let mostFrames: Int
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called on the thread that makes the sound when there is more of it, or no more.
    init(format: SpeechFormat, onChange: @escaping @Sendable () -> Void) {
        channels = format.channels
        mostFrames = format.sampleRate
        self.onChange = onChange
    }

    // MARK: - The thread that makes it

    /// Blocks until the sound may be made; nil if it is not wanted any more.
    func waitForTurn() -> Turn? {
        state.wait { state -> Turn?? in state.isAbandoned ? .some(nil) : state.turn.map { .some($0) } } ?? nil
    }

    /// Blocks while a second of it waits; false if no more is wanted.
    func push(_ samples: [Float], _ events: [SpokenEvent] = []) -> Bool {
        let isWanted = state.wait { state -> Bool? in
            if state.isAbandoned { return false }
            guard state.made - state.taken < mostFrames || state.isUnlimited else { return nil }
            for event in events { state.events.append(event) }
            if !samples.isEmpty { state.blocks.append(samples) }
            state.made += samples.count / channels
            return true
        }
        onChange()
        return isWanted ?? false
    }

    /// Nothing more comes.
    func finish(_ failure: SpeechError? = nil) {
        state.update { state in
            state.isOver = true
            state.failure = failure
            state.stop = nil
        }
        onChange()
    }

    /// Says what ends the making from now on; done at once if it is not wanted any more.
    func stopping(by stop: @escaping @Sendable () -> Void) {
        let isAbandoned = state.update { state in
            state.stop = stop
            return state.isAbandoned
        }
        if isAbandoned { stop() }
    }

    // MARK: - The thread that mixes

    func give(_ turn: Turn) { state.update { if $0.turn == nil { $0.turn = turn } } }

    /// Whether all of it was made, taken or not.
    var isMade: Bool { state.read { $0.isOver } }

    /// Whether anything was made, or is known to fail.
    var hasBegun: Bool { state.read { $0.made > 0 || $0.isOver } }

    /// Lets more than a second of it wait, for a sound that would keep another one from being made.
    func setUnlimited(_ isUnlimited: Bool) { state.update { $0.isUnlimited = isUnlimited } }

    /// What is there, at most so many frames. Never blocks.
    ///
    /// - Parameter least: if fewer are there and more are to come, nothing is taken.
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

    /// It is not wanted any more: what there is is dropped, and its thread ends. From any thread; returns at once.
    func abandon() {
        let stop = state.update { state in
            state.isAbandoned = true
            state.blocks.removeAll()
            state.events.removeAll()
            defer { state.stop = nil }
            return state.stop
        }
        stop?()
    }
}
