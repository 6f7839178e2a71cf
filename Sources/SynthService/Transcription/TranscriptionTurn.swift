import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthSystem

/// The state of a queued transcription. Thread-safe.
final class TranscriptionTurn: Sendable {
    private struct State {
        var tickets: [Int: ModelLanes<RecognizerLane>.Ticket] = [:]
        var next = 0
        var stop: (@Sendable () -> Void)?
        var isCancelled = false
        var wantsNoLane = false
        var hasBegun = false
        var hasEnded = false
    }
    private let recognizerLanes: ModelLanes<RecognizerLane>
    private let priority: SpeechPriority
    private let counters: ServiceCounters
    private let onEnd: @Sendable () -> Void
    private let state = Monitor(State())

    /// - Parameter onEnd: called once, on any thread.
    init(
        _ recognizerLanes: ModelLanes<RecognizerLane>, _ priority: SpeechPriority, _ counters: ServiceCounters,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.recognizerLanes = recognizerLanes
        self.onEnd = onEnd
        self.priority = priority
        self.counters = counters
        counters.count { $0.waiting += 1 }
    }

    deinit { end(transcribed: false) }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Blocks until it is this transcription's turn and then returns a lane. Returns nil if the transcription was
    /// cancelled or needs no more lanes.
    func lane() throws(EngineFailure) -> RecognizerLane? {
        let ticket = recognizerLanes.ticket(priority)
        let number = state.update { state -> Int? in
            guard !state.isCancelled, !state.wantsNoLane else { return nil }
            state.next += 1
            state.tickets[state.next] = ticket
            return state.next
        }
        guard let number else {
            recognizerLanes.giveUp(ticket)
            return nil
        }
        defer { state.update { $0.tickets[number] = nil } }
        guard let lane = try recognizerLanes.take(ticket) else { return nil }
        let isFirst = state.update { state in
            defer { state.hasBegun = true }
            return !state.hasBegun && !state.hasEnded
        }
        if isFirst {
            counters.count { transcriptions in
                transcriptions.waiting -= 1
                transcriptions.running += 1
            }
        }
        return lane
    }

    /// Returns a lane that was obtained from ``lane()``.
    func release(_ lane: any RecognitionLane) {
        if let lane = lane as? RecognizerLane { recognizerLanes.release(lane) }
    }

    /// Registers a callback that stops the current work, and calls it immediately if the transcription has already been
    /// cancelled. Once this method has returned, the previous callback can no longer be called, so its lane can be
    /// returned to the pool. The callback must not call methods of this object.
    func stops(by stop: (@Sendable () -> Void)?) {
        let isCancelled = state.update { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop?() }
    }

    /// Makes pending and future calls to `lane()` return nil.
    func wantNoLane() {
        let tickets = state.update { state in
            state.wantsNoLane = true
            return state.tickets.values
        }
        for ticket in tickets { recognizerLanes.giveUp(ticket) }
    }

    /// Stops the current work and makes pending and future calls to `lane()` return nil.
    func cancel() {
        let tickets = state.update { state in
            state.isCancelled = true
            // Hold the lock during the call, because the lane may belong to another client as soon as the lock is
            // released.
            state.stop?()
            return state.tickets.values
        }
        for ticket in tickets { recognizerLanes.giveUp(ticket) }
    }

    /// Records the end of the transcription. Later calls do nothing.
    ///
    /// - Parameter sound: the duration of the audio passed to the recognizer.
    func end(transcribed isTranscribed: Bool, _ sound: Duration = .zero) {
        let ending = state.update { state -> State? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state
        }
        guard let ending else { return }
        counters.count { transcriptions in
            if ending.hasBegun { transcriptions.running -= 1 } else { transcriptions.waiting -= 1 }
            transcriptions.sound += sound
            if ending.isCancelled {
                transcriptions.cancelled += 1
            } else if isTranscribed {
                transcriptions.transcribed += 1
            } else {
                transcriptions.failed += 1
            }
        }
        onEnd()
    }
}
