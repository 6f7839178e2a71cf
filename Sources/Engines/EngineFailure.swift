package import EngineWire
import Glibc

/// Why an engine could not do what it was asked.
package struct EngineFailure: Error, Equatable, Sendable {
    /// The engine's id, or its file where that is not known yet.
    package var engine: String
    package var reason: Reason
    /// What the engine printed, where it did.
    package var log: String?

    package enum Reason: Equatable, Sendable {
        /// The file is not loaded as an engine.
        case refused(Refusal)
        /// The worker program did not start.
        case notStarted(String)
        /// The worker ended by a signal: of its own fault, or somebody sent it.
        case crashed(signal: Int32, Activity)
        /// The engine ended its process.
        case exited(code: Int32, Activity)
        case hung(Duration, Activity)
        /// It answered in a way that is not the format.
        case garbled(Activity)
        /// It says itself that it could not.
        case complained(EngineComplaint)

        /// Whether somebody ended the worker: a shutdown, or the kernel where memory runs out.
        package var isKilling: Bool {
            if case .crashed(let signal, _) = self { !Self.faults.contains(signal) } else { false }
        }

        /// The signals that a program brings upon itself.
        private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
    }

    package enum Activity: String, Sendable {
        case describing = "while it said what it is"
        case loading = "while it loaded"
        case speaking = "while speaking"
    }

    package init(engine: String, reason: Reason, log: String? = nil) {
        self.engine = engine
        self.reason = reason
        self.log = log
    }

    /// What happened, in one sentence.
    package var message: String { words.asOneLine }

    private var words: String {
        switch reason {
        case .refused(let refusal): "\(engine) \(refusal.reason)."
        case .notStarted(let why): "The worker process for \(engine) did not start: \(why)."
        case .crashed(let signal, let activity) where reason.isKilling:
            "The engine \(engine) was killed (\(signalName(signal))) \(activity.rawValue), as happens where memory runs out."
        case .crashed(let signal, let activity):
            "The engine \(engine) crashed (\(signalName(signal))) \(activity.rawValue)."
        case .exited(let code, let activity):
            "The engine \(engine) ended its process with code \(code) \(activity.rawValue)."
        case .hung(let limit, let activity): "The engine \(engine) hung \(activity.rawValue): no answer in \(limit)."
        case .garbled(let activity): "The engine \(engine) damaged its worker process \(activity.rawValue)."
        case .complained(let complaint) where complaint.kind == .broken:
            "The engine \(engine) broke its contract: \(complaint.message)"
        case .complained(let complaint): "The engine \(engine) cannot speak this: \(complaint.message)"
        }
    }

    /// What to do about it, in one sentence.
    package var remedy: String {
        switch reason {
        case .refused(let refusal): refusal.remedy
        case .notStarted: "`synthhost doctor` shows what is missing; `ulimit -a` shows the limits."
        case .complained(let complaint) where complaint.kind == .badRequest:
            "Choose another text, voice or setting; `synthhost voices` lists the voices."
        case .complained(let complaint) where complaint.kind != .broken: "`synthhost doctor` shows what is missing."
        case .crashed(_, .describing), .exited(_, .describing), .hung(_, .describing), .garbled(.describing):
            (log.map { "Its log is \($0). " } ?? "") + "To try it again, type: synthhost engines list --rescan"
        default:
            "Try again, choose another engine with `-e`, or tell the engine's author."
                + (log.map { " Its log: \($0)" } ?? "")
        }
    }
}

/// "SIGSEGV"; a number for what is rare.
package func signalName(_ signal: Int32) -> String {
    switch signal {
    case SIGSEGV: "SIGSEGV"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGILL: "SIGILL"
    case SIGFPE: "SIGFPE"
    case SIGTRAP: "SIGTRAP"
    case SIGKILL: "SIGKILL"
    case SIGTERM: "SIGTERM"
    case SIGPIPE: "SIGPIPE"
    case SIGSYS: "SIGSYS"
    default: "signal \(signal)"
    }
}
