package import SynthAudio
package import SynthEngineWire
package import SynthScript
import SynthSystem

/// A bounded queue of audio between the synthesis thread and the playback thread.
package final class SoundQueue: Sendable {
    /// A chunk of audio and the text position at its end.
    package struct Piece: Sendable {
        package var samples: [Float]
        package var sourceEnd: Int
        /// The events whose frames are in this chunk, in order.
        package var events: [SpokenEvent] = []
        /// The utterance's end frame (exclusive) if this is its last chunk; otherwise nil.
        package var utteranceEnd: Int?
    }

    private struct State {
        var pieces: [Piece] = []
        var frames = 0
        var format: AudioFormat?
        var isComputing = false
        var isStarved = true
        var isClosed = false
        /// Whether the producer must finish soon, even if the consumer is not reading.
        var isExpanded = false
        /// The time at which the first audio was taken.
        var begin: ContinuousClock.Instant?
        /// The number of frames taken since `begin`.
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

    /// Sets the format and returns the format in effect. Only the first call has an effect, because a sink has a single
    /// format.
    package func begin(_ format: AudioFormat) -> AudioFormat {
        state.update { state in
            if let format = state.format { return format }
            state.format = format
            return format
        }
    }

    /// The sink's format, once it is set.
    package var format: AudioFormat? { state.read { $0.format } }

    /// Whether a consumer is waiting because the queue is empty. A consumer that reads ahead of playback, such as a
    /// service's client, is considered to be waiting once it has had time to play all the audio that it has read.
    package var isStarved: Bool {
        state.read { state in
            guard state.isStarved, state.pieces.isEmpty else { return false }
            guard let begin = state.begin, let format = state.format else { return true }
            let played = (now() - begin + Self.margin).seconds
            return played * Double(format.sampleRate) >= Double(state.taken)
        }
    }

    /// The estimated time until the next audio is available.
    private static let margin = Duration.milliseconds(300)

    /// Blocks while the queue is full. Returns false if the queue is closed.
    package func push(_ piece: Piece) -> Bool {
        state.wait { state -> Bool? in
            guard !state.isClosed, let format = state.format else { return false }
            // The check ignores the length of the new chunk, so that even a long chunk is accepted.
            if !state.isExpanded, isFull(state.frames, format) { return nil }
            state.pieces.append(piece)
            state.frames += piece.samples.count / format.channels
            return true
        } ?? false
    }

    private func isFull(_ frames: Int, _ format: AudioFormat) -> Bool {
        frames > 0 && Double(frames) > lookAhead.seconds * Double(format.sampleRate)
    }

    /// Sets whether `push` accepts all audio without blocking. The queue can then grow without limit.
    package func setExpanded(_ isExpanded: Bool) { state.update { $0.isExpanded = isExpanded } }

    /// Blocks while the queue is full. Returns false if the queue is closed.
    package func waitForRoom() -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            guard let format = state.format else { return true }
            return isFull(state.frames, format) ? nil : true
        } ?? false
    }

    /// Sets whether the engine is synthesizing the next audio, rather than waiting for text.
    func setComputing(_ isComputing: Bool) { state.update { $0.isComputing = isComputing } }

    /// Returns the next chunk, or nil after the last one. Blocks until a chunk is available.
    ///
    /// - Parameters:
    ///   - timeout: how long the queue can be empty before the listener notices a gap.
    ///   - onUnderrun: called when the queue has been empty for that long. `isComputing` is true if synthesis is slower than
    ///     playback.
    package func pop(timeout: () -> Duration, onUnderrun: (_ isComputing: Bool) throws(SpeechError) -> Void)
        throws(SpeechError) -> Piece?
    {
        if !isReady(within: .zero), !isReady(within: timeout()) {
            try onUnderrun(
                state.update { state in
                    state.isStarved = true
                    return state.isComputing
                })
            _ = isReady(within: nil)
        }
        return try state.update { state throws(SpeechError) in try take(from: &state) }
    }

    /// Returns the next chunk, or nil after the last one. Suspends until a chunk is available.
    ///
    /// - Parameter onCancel: called on any thread when the task is cancelled. It must abandon the queue.
    package func next(
        isolation: isolated (any Actor)?, onCancel: @escaping @Sendable () -> Void
    ) async throws(SpeechError) -> Piece? {
        while true {
            let (isReady, piece) = try state.update { state throws(SpeechError) in
                if state.pieces.isEmpty && !state.isClosed {
                    state.isStarved = true
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
        state.isStarved = false
        let piece = state.pieces.removeFirst()
        let frames = piece.samples.count / (state.format?.channels ?? 1)
        state.frames -= frames
        state.taken += frames
        if state.begin == nil, frames > 0 { state.begin = now() }
        return piece
    }

    /// Returns false if neither a chunk nor the end arrives within the limit.
    private func isReady(within limit: Duration?) -> Bool {
        state.wait(timeout: limit) { $0.pieces.isEmpty && !$0.isClosed ? nil : true } ?? false
    }

    /// Ends the audio. `failure` is thrown after the queued audio has been played.
    package func close(_ failure: SpeechError? = nil) {
        end { if $0.failure == nil, !$0.isClosed { $0.failure = failure } }
    }

    /// Ends the audio and drops the queued chunks.
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

/// An event in the audio: the start of a word, a sentence or a phoneme, or a mark.
package struct SpokenEvent: Equatable, Sendable {
    /// The event kind. Exactly one bit is set.
    package var kind: EventKinds
    /// The event's first frame, relative to the start of the output.
    package var frame: Int
    /// The byte range in the source.
    package var source: Range<Int>
    /// The byte range in the utterance's text, or nil if the event has no range.
    package var text: Range<Int>?
    /// A phoneme's IPA or a mark's name.
    package var label: String?
    /// The utterance that a sentence event starts.
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
    /// A mark in a script. This kind is defined by the host; engines never report it.
    package static let mark = EventKinds(rawValue: 1 << 31)
}
