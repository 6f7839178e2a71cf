import SynthHost
import System

/// Checks a text file while the engine starts, so that nothing is spoken of one that is no text.
final class TextCheck: Sendable {
    private enum State {
        case running
        case done(SpeechFailure?)
    }
    private let state = Monitor(State.running)

    init(_ source: any TextSource) {
        guard let reader = source as? TextReader else {
            state.update { $0 = .done(nil) }
            return
        }
        let check: @Sendable () -> Void = { [state] in
            var failure: SpeechFailure?
            do throws(SpeechFailure) {
                try reader.checkText()
            } catch {
                failure = error
            }
            state.update { [failure] in $0 = .done(failure) }
        }
        if !startThread("text-check", check) { check() }
    }

    /// What is wrong with the text. Blocks until that is known.
    func wait() -> SpeechFailure? {
        let result: SpeechFailure?? = state.wait { state in
            if case .done(let failure) = state { .some(failure) } else { nil }
        }
        return result ?? nil
    }
}
