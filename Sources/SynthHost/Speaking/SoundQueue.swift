import LinuxSystem
import SynthAudio

/// Sound on its way from the thread that synthesizes to the one that plays, a bounded time of it.
final class SoundQueue: Sendable {
    /// A piece of sound, with how far in the text it reaches.
    struct Piece: Sendable {
        var samples: [Float]
        var sourceEnd: Int
    }

    private struct State {
        var pieces: [Piece] = []
        var frames = 0
        var format: AudioFormat?
        var isClosed = false
        var failure: SpeechFailure?
    }
    private let state = Monitor(State())
    private let lookAhead: Duration

    init(lookAhead: Duration) { self.lookAhead = lookAhead }

    /// Says which sound begins. Only the first call counts: a sink has one format.
    func begin(_ format: AudioFormat) -> AudioFormat {
        state.update { state in
            if let format = state.format { return format }
            state.format = format
            return format
        }
    }

    /// The sink's format, once something began.
    var format: AudioFormat? { state.read { $0.format } }

    /// Blocks while the queue is full; false once it is closed.
    func push(_ piece: Piece) -> Bool {
        state.wait { state -> Bool? in
            if state.isClosed { return false }
            guard let format = state.format else { return false }
            // One piece always fits, whatever its length.
            if state.frames > 0, Double(state.frames) > lookAhead.seconds * Double(format.sampleRate) { return nil }
            state.pieces.append(piece)
            state.frames += piece.samples.count / format.channels
            return true
        } ?? false
    }

    /// The next piece; nil after the last. Blocks while there is none, and calls `onWait` before it does.
    func pop(onWait: () -> Void) throws(SpeechFailure) -> Piece? {
        var isReady: Bool? = state.read { $0.pieces.isEmpty && !$0.isClosed ? nil : true }
        if isReady == nil {
            onWait()
            isReady = state.wait { $0.pieces.isEmpty && !$0.isClosed ? nil : true }
        }
        return try state.update { state throws(SpeechFailure) in
            guard !state.pieces.isEmpty else {
                if let failure = state.failure { throw failure }
                return nil
            }
            let piece = state.pieces.removeFirst()
            state.frames -= piece.samples.count / (state.format?.channels ?? 1)
            return piece
        }
    }

    /// Nothing more comes. What is queued is still played, then `failure` is thrown.
    func close(_ failure: SpeechFailure? = nil) {
        state.update { state in
            if state.failure == nil { state.failure = failure }
            state.isClosed = true
        }
    }

    /// Nothing more comes, and what is queued is dropped.
    func abandon() {
        state.update { state in
            state.pieces = []
            state.frames = 0
            state.failure = nil
            state.isClosed = true
        }
    }
}
