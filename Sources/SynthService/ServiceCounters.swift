import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// A service's statistics, which are updated for each utterance and each change in a request's state. Thread-safe.
package final class ServiceCounters: Sendable {
    enum Outcome {
        case spoken
        case cancelled
        case failed
    }

    private struct State {
        var speeches = ServiceFigures.Speeches()
        var utterances = ServiceFigures.Utterances()
        var transcriptions = ServiceFigures.Transcriptions()
        var sound = Duration.zero
        var work = Duration.zero
        var firstSound = Quantiles()
        var cancel = Quantiles()
    }
    private let state = Monitor(State())
    private let start = time(nil)
    private let begin = ContinuousClock.now

    /// Counts a new request, or a new utterance on a lane that a client has borrowed.
    ///
    /// - Parameter isTimed: whether to record the time to the first audio.
    package func begin(isTimed: Bool, at now: ContinuousClock.Instant = .now) -> CountedSpeech {
        state.update { $0.speeches.waiting += 1 }
        return CountedSpeech(self, isTimed: isTimed, at: now)
    }

    /// Records the first audio of a request.
    ///
    /// - Parameter time: the time since the request, or nil to record no time.
    func speechSounds(after time: Duration?) {
        state.update { state in
            state.speeches.waiting -= 1
            state.speeches.running += 1
            if let time { state.firstSound.add(time) }
        }
    }

    /// Records the end of a request.
    ///
    /// - Parameters:
    ///   - cancel: the time from the cancellation to the end, or nil if the request was not cancelled.
    ///   - replacements: the number of times that a fallback voice took over.
    func speechEnds(hasSounded: Bool, cancel: Duration?, replacements: Int) {
        state.update { state in
            if hasSounded { state.speeches.running -= 1 } else { state.speeches.waiting -= 1 }
            if let cancel { state.cancel.add(cancel) }
            state.utterances.replaced += replacements
        }
    }

    func utteranceEnds(_ outcome: Outcome, sound: Duration, work: Duration) {
        state.update { state in
            switch outcome {
            case .spoken: state.utterances.spoken += 1
            case .cancelled: state.utterances.cancelled += 1
            case .failed: state.utterances.failed += 1
            }
            state.sound += sound
            state.work += work
        }
    }

    /// Updates the transcription statistics.
    func count(_ change: (inout ServiceFigures.Transcriptions) -> Void) { state.update { change(&$0.transcriptions) } }

    /// Blocks until the transcription statistics satisfy a condition. For tests.
    package func waitForTranscriptions(_ condition: (ServiceFigures.Transcriptions) -> Bool) {
        _ = state.wait { condition($0.transcriptions) ? true : nil }
    }

    /// Blocks until `count` utterances have been cancelled. For tests.
    package func waitForCancelled(_ count: Int) { _ = state.wait { $0.utterances.cancelled >= count ? true : nil } }

    /// Blocks until `count` requests are waiting or running. For tests.
    func waitForSpeeches(_ count: Int) {
        _ = state.wait { $0.speeches.waiting + $0.speeches.running >= count ? true : nil }
    }

    func figures(
        _ engines: [EngineFigures] = [], _ models: [ServiceFigures.Model] = [], at now: ContinuousClock.Instant = .now
    ) -> ServiceFigures {
        state.read { state in
            ServiceFigures(
                start: start, uptime: now - begin, engines: engines, models: models, speeches: state.speeches,
                utterances: state.utterances, transcriptions: state.transcriptions, sound: state.sound,
                work: state.work,
                firstSound: state.firstSound,
                cancel: state.cancel)
        }
    }
}

/// The statistics of one speech request, from its arrival to its end. Thread-safe.
package final class CountedSpeech: Sendable {
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

    /// Records the first audio. Later calls do nothing.
    package func sounds(at now: ContinuousClock.Instant = .now) {
        let isFirst = state.update { state in
            defer { state.hasSounded = true }
            return !state.hasSounded && !state.hasEnded
        }
        if isFirst { counters.speechSounds(after: isTimed ? now - begin : nil) }
    }

    /// Records a cancellation. Later calls do nothing.
    package func cancel(at now: ContinuousClock.Instant = .now) { state.update { $0.cancel = $0.cancel ?? now } }

    /// Records the end of the request. Later calls do nothing.
    ///
    /// - Parameter replacements: the number of times that a fallback voice took over.
    package func end(replacements: Int = 0, at now: ContinuousClock.Instant = .now) {
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

final class CountedLane: SpeakingLane {
    private let lane: any SpeakingLane
    private let counters: ServiceCounters

    init(_ lane: any SpeakingLane, _ counters: ServiceCounters) {
        self.lane = lane
        self.counters = counters
    }

    var isAlive: Bool { lane.isAlive }

    func cancel() { lane.cancel() }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let begin = ContinuousClock.now
        var taking = Duration.zero
        var (frames, rate, channels) = (0, 1, 1)
        var outcome = ServiceCounters.Outcome.failed
        defer {
            counters.utteranceEnds(
                outcome, sound: .seconds(Double(frames) / Double(rate)), work: .now - begin - taking)
        }
        let isSpoken = try lane.speak(request, unless: isStopped, whileReplaceable: isReplaceable) { piece in
            switch piece {
            case .begin(let sampleRate, let count): (rate, channels) = (max(sampleRate, 1), max(count, 1))
            case .audio(let samples): frames += samples.count / channels
            case .event: break
            }
            // Exclude any time spent blocked by the audio consumer.
            let start = ContinuousClock.now
            defer { taking += .now - start }
            return part(piece)
        }
        outcome = isSpoken ? .spoken : .cancelled
        return isSpoken
    }
}
