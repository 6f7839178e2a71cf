package import SynthAudio
package import SynthEngineWire
package import SynthScript
import SynthSystem

/// Sound on its way from the thread that synthesizes to the one that plays, a bounded time of it.
package final class SoundQueue: Sendable {
    /// A piece of sound, with how far in the text it reaches.
    package struct Piece: Sendable {
        package var samples: [Float]
        package var sourceEnd: Int
        /// Those whose frames are in it, in their order.
        package var events: [SpokenEvent] = []
        /// The frame after the utterance's last one, if the piece ends with it.
        package var utteranceEnd: Int?
    }

    private struct State {
        var pieces: [Piece] = []
        var frames = 0
        var format: AudioFormat?
        var isComputing = false
        var isDry = true
        var isClosed = false
        /// Whoever makes the sound is to finish soon, whether anybody takes it or not.
        var isHurried = false
        /// When the first sound was taken, and how many frames since.
        var begin: ContinuousClock.Instant?
        var taken = 0
        var failure: SpeechError?
    }
    private let state = Monitor(State())
    private let lookAhead: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    package init(lookAhead: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.lookAhead = lookAhead
        self.now = now
    }

    /// Says which sound begins. Only the first call counts: a sink has one format.
    package func begin(_ format: AudioFormat) -> AudioFormat {
        state.update { state in
            if let format = state.format { return format }
            state.format = format
            return format
        }
    }

    /// The sink's format, once something began.
    package var format: AudioFormat? { state.read { $0.format } }

    /// Whether all that came was taken, and more was missed: somebody waits for what comes next. One who takes everything at
    /// once, such as a client of a service, waits when it has played that.
    package var isDry: Bool {
        state.read { state in
            guard state.isDry, state.pieces.isEmpty else { return false }
            guard let begin = state.begin, let format = state.format else { return true }
            let played = (now() - begin + Self.margin).seconds
            return played * Double(format.sampleRate) >= Double(state.taken)
        }
    }

    /// What comes next takes so long to begin.
    private static let margin = Duration.milliseconds(300)

    /// Blocks while the queue is full; false once it is closed.
    package func push(_ piece: Piece) -> Bool {
        state.wait { state -> Bool? in
            guard !state.isClosed, let format = state.format else { return false }
            // One piece always fits, whatever its length.
            if !state.isHurried, isFull(state.frames, format) { return nil }
            state.pieces.append(piece)
            state.frames += piece.samples.count / format.channels
            return true
        } ?? false
    }

    private func isFull(_ frames: Int, _ format: AudioFormat) -> Bool {
        frames > 0 && Double(frames) > lookAhead.seconds * Double(format.sampleRate)
    }

    /// While it is set, `push` does not wait: the queue grows by what is being made.
    package func setHurried(_ isHurried: Bool) { state.update { $0.isHurried = isHurried } }

    /// Blocks while the queue is full; false once it is closed.
    package func waitForRoom() -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            guard let format = state.format else { return true }
            return isFull(state.frames, format) ? nil : true
        } ?? false
    }

    /// Whether the engine is at work on what comes next, rather than the text still to come.
    func setComputing(_ isComputing: Bool) { state.update { $0.isComputing = isComputing } }

    /// The next piece; nil after the last. Blocks while there is none.
    /// - Parameters:
    ///   - patience: how long nothing may come before the listener hears it.
    ///   - onDry: called when nothing came in that time; `isComputing` = the engine is slower than its speech.
    package func pop(patience: () -> Duration, onDry: (_ isComputing: Bool) throws(SpeechError) -> Void)
        throws(SpeechError) -> Piece?
    {
        if !isReady(within: .zero), !isReady(within: patience()) {
            try onDry(
                state.update { state in
                    state.isDry = true
                    return state.isComputing
                })
            _ = isReady(within: nil)
        }
        return try state.update { state throws(SpeechError) in try take(from: &state) }
    }

    /// The next piece; nil after the last. Suspends while there is none.
    /// - Parameter onCancel: called once the task is cancelled, on any thread; it is to abandon the queue.
    package func next(
        isolation: isolated (any Actor)?, onCancel: @escaping @Sendable () -> Void
    ) async throws(SpeechError) -> Piece? {
        while true {
            let (isReady, piece) = try state.update { state throws(SpeechError) in
                if state.pieces.isEmpty && !state.isClosed {
                    state.isDry = true
                    return (false, Piece?.none)
                }
                return (true, try take(from: &state))
            }
            if isReady { return piece }
            await withTaskCancellationHandler {
                await state.suspend(isolation: isolation) { !$0.pieces.isEmpty || $0.isClosed }
            } onCancel: {
                onCancel()
            }
        }
    }

    private func take(from state: inout State) throws(SpeechError) -> Piece? {
        guard !state.pieces.isEmpty else {
            if let failure = state.failure { throw failure }
            return nil
        }
        state.isDry = false
        let piece = state.pieces.removeFirst()
        let frames = piece.samples.count / (state.format?.channels ?? 1)
        state.frames -= frames
        state.taken += frames
        if state.begin == nil, frames > 0 { state.begin = now() }
        return piece
    }

    /// False when there is neither a piece nor the end by then.
    private func isReady(within limit: Duration?) -> Bool {
        state.wait(timeout: limit) { $0.pieces.isEmpty && !$0.isClosed ? nil : true } ?? false
    }

    /// Nothing more comes. What is queued is still played, then `failure` is thrown.
    package func close(_ failure: SpeechError? = nil) {
        end { if $0.failure == nil, !$0.isClosed { $0.failure = failure } }
    }

    /// Nothing more comes, and what is queued is dropped.
    package func abandon() {
        end { state in
            state.pieces = []
            state.frames = 0
            state.failure = nil
        }
    }

    private func end(_ change: (inout State) -> Void) {
        state.update { state in
            change(&state)
            state.isClosed = true
        }
    }
}

/// A word, a sentence or a phoneme begins to sound, or a mark is reached.
package struct SpokenEvent: Equatable, Sendable {
    /// One bit.
    package var kind: EventKinds
    /// Its first frame in the sound as it comes out, counted from the beginning of the whole speech.
    package var frame: Int
    /// Its bytes in the source.
    package var source: Range<Int>
    /// Its bytes in the text of its utterance; nil = not in a text.
    package var text: Range<Int>?
    /// The IPA of a phoneme, the name of a mark.
    package var label: String?
    /// What is spoken from a sentence's event on.
    package var utterance: Utterance?

    package init(
        kind: EventKinds, frame: Int, source: Range<Int>, text: Range<Int>? = nil, label: String? = nil,
        utterance: Utterance? = nil
    ) {
        self.kind = kind
        self.frame = frame
        self.source = source
        self.text = text
        self.label = label
        self.utterance = utterance
    }
}

extension EventKinds {
    /// A mark of a script. The host's own: no engine knows of it.
    package static let mark = EventKinds(rawValue: 1 << 31)
}
