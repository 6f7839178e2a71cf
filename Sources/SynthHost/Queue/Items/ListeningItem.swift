import SynthSpeech
import SynthSystem
import SynthUserVoices

/// A queue item that listens. Its model is loaded in advance, and the microphone opens when the item's turn comes.
final class ListeningItem: Sendable {
    private struct State: CancellableState {
        var events: [SpeechListening.Event] = []
        var outcome: Result<Void, SpeechError>?
        /// Returns the remaining playback time of earlier audio. Set when the item's turn comes.
        var soundsOn: (@Sendable () -> Duration)?
        /// Called once, at the first word.
        var interrupt: (@Sendable () -> Void)?
        /// Whether the previous item is still playing.
        var isAhead = false
        /// Whether only noise such as a cough was detected, in which case listening must restart.
        var listensOn = false
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }

    /// Whether to listen while the previous item plays. The first word ends that item.
    let interrupts: Bool
    private let work: ListeningWork
    private let state = Monitor(State())
    private let onChange: @Sendable () -> Void

    /// - Parameters:
    ///   - source: returns the recognizer. May block.
    ///   - onChange: called on any thread when events or the result are available.
    init(
        _ options: ListeningOptions, interrupts: Bool,
        by source: @escaping @Sendable () throws(SpeechError) -> RecognizerSource,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.interrupts = interrupts
        self.onChange = onChange
        work = ListeningWork(options: options)
        let isStarted = startThread("listening") { [self] in
            end(Result { () throws(SpeechError) in try listen(by: try source()) })
        }
        if !isStarted { end(.failure(.noThread)) }
    }

    private func listen(by source: RecognizerSource) throws(SpeechError) {
        repeat {
            state.update { $0.listensOn = false }
            try listenOnce(by: source)
        } while state.read { $0.listensOn && !$0.isCancelled }
    }

    private func listenOnce(by source: RecognizerSource) throws(SpeechError) {
        try work.run(
            by: source, unless: { self.state.read { $0.isCancelled } }, stopping: state.stopping,
            gate: { waitForTurn() }
        ) { [self] event in
            var isWord = false
            if case .partial = event { isWord = true }
            let (isDropped, interrupt) = state.update { state -> (Bool, (@Sendable () -> Void)?) in
                if case .final(let recognized) = event, state.isAhead, recognized.text.isEmpty,
                    recognized.ending == .silence
                {
                    state.listensOn = true
                }
                if state.isCancelled || state.listensOn { return (true, nil) }
                state.events.append(event)
                guard isWord else { return (false, nil) }
                defer { state.interrupt = nil }
                return (false, state.interrupt)
            }
            if isDropped { return work.drop(event) }
            interrupt?()
            onChange()
        }
    }

    private func end(_ outcome: Result<Void, SpeechError>) {
        state.update { state in
            state.outcome = outcome
            state.stop = nil
        }
        onChange()
    }

    /// Blocks until the item's turn comes and the microphone can no longer pick up earlier audio.
    private func waitForTurn() {
        let soundsOn = state.wait { state -> (@Sendable () -> Duration)? in
            if state.isCancelled { return { .zero } }
            return state.soundsOn
        }
        while let left = soundsOn?(), left > .zero {
            let isCancelled = state.wait(timeout: max(left, .milliseconds(5))) { $0.isCancelled ? true : nil }
            if isCancelled == true { return }
        }
    }

    // MARK: - Mixing thread

    var hasBegun: Bool { state.read { $0.soundsOn != nil } }

    /// - Parameters:
    ///   - soundsOn: returns the remaining playback time of earlier audio.
    ///   - interrupt: called at the first word, on any thread.
    func begin(after soundsOn: @escaping @Sendable () -> Duration, onFirstWord interrupt: (@Sendable () -> Void)? = nil)
    {
        state.update { state in
            state.soundsOn = soundsOn
            state.isAhead = interrupt != nil
            state.interrupt = interrupt
        }
    }

    /// Records that the previous item has ended.
    func isFirst() { state.update { $0.isAhead = false } }

    /// Returns the events since the last call, and the outcome once it is available. Never blocks.
    func take() -> (events: [SpeechListening.Event], outcome: Result<Void, SpeechError>?) {
        state.update { state in
            defer { state.events = [] }
            return (state.events, state.outcome)
        }
    }

    /// Stops listening and closes the microphone immediately. Can be called from any thread.
    func abandon() {
        let (stop, undelivered) = state.update { state in
            state.isCancelled = true
            defer { (state.stop, state.events) = (nil, []) }
            return (state.stop, state.events)
        }
        stop?()
        for event in undelivered { work.drop(event) }
    }
}
