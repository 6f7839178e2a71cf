import Engines
import Glibc
import System

/// Counts what a service does, once for each utterance and at the turns of each speech. Any thread may use it.
final class ServiceCounters: Sendable {
    /// How an utterance ended.
    enum Outcome {
        case spoken
        case cancelled
        case failed
    }

    private struct State {
        var speeches = ServiceFigures.Speeches()
        var utterances = ServiceFigures.Utterances()
        var sound = Duration.zero
        var work = Duration.zero
        var firstSound = Quantiles()
        var cancel = Quantiles()
    }
    private let state = Monitor(State())
    private let start = time(nil)
    private let begin = ContinuousClock.now

    /// Somebody asks for a speech, or for an utterance on a lane that was lent.
    ///
    /// - Parameter isTimed: whether the time to its first sound counts.
    func begin(isTimed: Bool, at now: ContinuousClock.Instant = .now) -> CountedSpeech {
        state.update { $0.speeches.waiting += 1 }
        return CountedSpeech(self, isTimed: isTimed, at: now)
    }

    /// - Parameter time: since it was asked for; nil = does not count.
    func speechSounds(after time: Duration?) {
        state.update { state in
            state.speeches.waiting -= 1
            state.speeches.running += 1
            if let time { state.firstSound.add(time) }
        }
    }

    /// - Parameters:
    ///   - cancel: how long it took to end after it was cancelled; nil = it was not.
    ///   - replacements: how often another voice took over.
    func speechEnds(hasSounded: Bool, cancel: Duration?, replacements: Int) {
        state.update { state in
            if hasSounded { state.speeches.running -= 1 } else { state.speeches.waiting -= 1 }
            if let cancel { state.cancel.add(cancel) }
            state.utterances.replaced += replacements
        }
    }

    /// An engine is done with an utterance.
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

    /// Blocks until so many utterances were cancelled. For tests.
    func waitForCancelled(_ count: Int) { _ = state.wait { $0.utterances.cancelled >= count ? true : nil } }

    /// Blocks until so many speeches were asked for and are not over. For tests.
    func waitForSpeeches(_ count: Int) {
        _ = state.wait { $0.speeches.waiting + $0.speeches.running >= count ? true : nil }
    }

    func figures(
        _ engines: [EngineFigures] = [], _ models: [ServiceFigures.Model] = [], at now: ContinuousClock.Instant = .now
    ) -> ServiceFigures {
        state.read { state in
            ServiceFigures(
                start: start, uptime: now - begin, engines: engines, models: models, speeches: state.speeches,
                utterances: state.utterances, sound: state.sound, work: state.work, firstSound: state.firstSound,
                cancel: state.cancel)
        }
    }
}
