package import EngineWire
import Glibc
package import System

/// Why an engine could not do what it was asked.
package struct EngineFailure: Error, Equatable, Sendable {
    /// The engine's id, or its file where that is not known yet.
    package var engine: String
    package var reason: Reason
    /// The file with what the engine printed, if it printed anything.
    package var log: String?

    package init(engine: String, reason: Reason, log: String? = nil) {
        self.engine = engine
        self.reason = reason
        self.log = log
    }

    package enum Reason: Equatable, Sendable {
        /// The file is not loaded as an engine.
        case refused(Refusal)
        case notStarted(StartFailure)
        /// The worker ended by a signal: of its own fault, or somebody sent it.
        case crashed(signal: Int32, Activity)
        /// The engine ended its process.
        case exited(code: Int32, Activity)
        /// No answer in this time.
        case hung(Duration, Activity)
        /// What came from its process is not the format, or its sockets were damaged.
        case violatedProtocol(Activity)
        /// It says itself that it could not.
        case reported(EngineError)
        /// The text is longer than any request may be, or holds a NUL.
        case unspeakableText

        /// Whether somebody ended the worker: a shutdown, or the kernel where memory runs out.
        package var isKilling: Bool {
            if case .crashed(let signal, _) = self { !Self.faults.contains(signal) } else { false }
        }

        /// The signals that a program brings upon itself.
        private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
    }

    /// Why the worker did not start, or its lane not open.
    package enum StartFailure: Equatable, Sendable {
        /// The program, by its path.
        case program(String, Errno)
        /// There is no socket for a lane.
        case lane(Errno)
        /// The system, or a limit of this user's, leaves no thread for the worker.
        case noThread
    }

    /// What the engine was doing.
    package enum Activity: Sendable {
        /// It said what it is.
        case describing
        case loading
        case speaking
    }
}
