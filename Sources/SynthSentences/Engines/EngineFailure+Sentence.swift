package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

extension EngineFailure {
    /// What happened, in one sentence.
    package var message: String { words.asOneLine }

    private var words: String {
        switch reason {
        case .refused(let refusal): "\(engine) \(refusal.reason)."
        case .notStarted(let why): "The worker process for \(engine) did not start: \(why.words)."
        case .crashed(let signal, let activity) where reason.isExternalKill:
            "The engine \(engine) was killed (\(signalName(signal))) \(activity.words), as happens when memory runs out."
        case .crashed(let signal, let activity):
            "The engine \(engine) crashed (\(signalName(signal))) \(activity.words)."
        case .exited(let code, let activity):
            "The engine \(engine) ended its process with code \(code) \(activity.words)."
        case .hung(let limit, let activity): "The engine \(engine) hung \(activity.words): no answer in \(limit)."
        case .violatedProtocol(let activity): "The engine \(engine) damaged its worker process \(activity.words)."
        case .reported(let error) where error.kind == .violatedContract:
            "The engine \(engine) broke its contract: \(error.words)"
        case .reported(let error): "The engine \(engine) cannot speak this: \(error.words)"
        case .unspeakableText: "The engine \(engine) cannot speak this: The text is too long, or holds a NUL."
        }
    }

    /// What to do about it, in one sentence.
    package var remedy: String {
        guard !missed.isEmpty, reason.mayBeOfConfinement else { return usualRemedy }
        let words = missed.missedWords(by: engine)
        // Variables are often set that an engine can do without.
        return missed.allSatisfy { $0.kind.variable != nil } ? "\(usualRemedy) \(words)" : words
    }

    private var usualRemedy: String {
        switch reason {
        case .refused(let refusal): refusal.remedy
        case .notStarted: "`synthhost doctor` shows what is missing; `ulimit -a` shows the limits."
        case .unspeakableText: Self.otherRequest
        case .reported(let error) where error.kind == .badRequest: Self.otherRequest
        case .reported(let error) where error.kind != .violatedContract: "`synthhost doctor` shows what is missing."
        case .crashed(_, .describing), .exited(_, .describing), .hung(_, .describing), .violatedProtocol(.describing):
            (log.map { "Its log is \($0). " } ?? "") + "To try it again, type: synthhost engines list --rescan"
        default:
            "Try again, choose another engine with `-e`, or tell the engine's author."
                + (log.map { " Its log: \($0)" } ?? "")
        }
    }

    private static let otherRequest = "Choose another text, voice or setting; `synthhost voices` lists the voices."
}

extension EngineError {
    /// What the engine says, in a sentence.
    package var words: String { message.isEmpty ? "It gave no reason." : message }
}

extension EngineFailure.Activity {
    fileprivate var words: String {
        switch self {
        case .describing: "while it said what it is"
        case .loading: "while it loaded"
        case .speaking: "while speaking"
        case .listening: "while listening"
        }
    }
}

extension EngineFailure.StartFailure {
    fileprivate var words: String {
        switch self {
        case .program(let path, let error): "\(path): \(error)"
        case .lane(let error): "\(error)"
        case .noThread: "the system, or a limit of this user's, leaves no thread for it"
        }
    }
}
