import System

/// A speech in the figures of a service, from the question to its end. Any thread may use it.
final class CountedSpeech: Sendable {
    private struct State {
        var hasSounded = false
        var hasEnded = false
        var cancel: ContinuousClock.Instant?
    }
    private let counters: ServiceCounters
    private let isTimed: Bool
    private let begin: ContinuousClock.Instant
    private let state = Monitor(State())

    init(_ counters: ServiceCounters, isTimed: Bool, at begin: ContinuousClock.Instant) {
        self.counters = counters
        self.isTimed = isTimed
        self.begin = begin
    }

    deinit { end() }

    /// Its first sound is there. Later calls have no effect.
    func sounds(at now: ContinuousClock.Instant = .now) {
        let isFirst = state.update { state in
            defer { state.hasSounded = true }
            return !state.hasSounded && !state.hasEnded
        }
        if isFirst { counters.speechSounds(after: isTimed ? now - begin : nil) }
    }

    /// It is to end. Later calls have no effect.
    func cancel(at now: ContinuousClock.Instant = .now) { state.update { $0.cancel = $0.cancel ?? now } }

    /// Nothing more comes. Later calls have no effect.
    ///
    /// - Parameter replacements: how often another voice took over.
    func end(replacements: Int = 0, at now: ContinuousClock.Instant = .now) {
        let ending = state.update { state -> State? in
            if state.hasEnded { return nil }
            state.hasEnded = true
            return state
        }
        guard let ending else { return }
        counters.speechEnds(
            hasSounded: ending.hasSounded, cancel: ending.cancel.map { now - $0 }, replacements: replacements)
    }
}
