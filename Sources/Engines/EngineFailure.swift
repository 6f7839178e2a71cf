package import EngineWire
import Glibc
package import System

/// Why an engine could not carry out a request.
package struct EngineFailure: Error, Equatable, Sendable {
    /// The engine's id, or its file if the id is not known yet.
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
        /// The worker was ended by a signal: its own fault, or another process sent it.
        case crashed(signal: Int32, Activity)
        /// The engine ended its process.
        case exited(code: Int32, Activity)
        /// No reply within this time.
        case hung(Duration, Activity)
        /// Its process sent a malformed frame, or closed its sockets.
        case violatedProtocol(Activity)
        /// The engine reported an error.
        case reported(EngineError)
        /// The text is longer than any request may be, or holds a NUL.
        case unspeakableText

        /// Whether another process ended the worker: a shutdown, or the kernel when memory runs out.
        package var isExternalKill: Bool {
            if case .crashed(let signal, _) = self { !Self.faults.contains(signal) } else { false }
        }

        /// The signals that a program causes itself.
        private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
    }

    /// Why the worker did not start, or its lane did not open.
    package enum StartFailure: Equatable, Sendable {
        /// The program, by its path.
        case program(String, Errno)
        /// There is no socket for a lane.
        case lane(Errno)
        /// The system, or a limit of this user, allows no thread for the worker.
        case noThread
    }

    /// What the engine was doing.
    package enum Activity: UInt8, Sendable {
        /// It described itself.
        case describing
        case loading
        case speaking
    }
}
