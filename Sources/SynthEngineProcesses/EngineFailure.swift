import Glibc
package import SynthEngineWire
package import SynthSystem

/// Why an engine could not complete a request.
package struct EngineFailure: Error, Equatable, Sendable {
    /// The engine's ID, or the path of its file if the ID is not known yet.
    package var engine: String
    package var reason: Reason
    /// The path of the log file with the engine's output, or nil if there is no output.
    package var log: String?
    /// Permissions that the engine requests but has not been granted. Their absence may have caused the failure.
    package var missed: [EngineNeed]
    /// Whether the process was killed because another request in it hung, failed to stop or violated the protocol. This
    /// request may succeed in a new process.
    package var isCausedByAnotherRequest = false

    package init(engine: String, reason: Reason, log: String? = nil, missed: [EngineNeed] = []) {
        self.engine = engine
        self.reason = reason
        self.log = log
        self.missed = missed
    }

    /// The reason for a failure.
    package enum Reason: Equatable, Sendable {
        /// The engine's file was rejected.
        case refused(Refusal)
        case notStarted(StartFailure)
        /// A signal terminated the worker. It was caused by a fault in the worker itself, or another process sent it.
        case crashed(signal: Int32, Activity)
        /// The engine terminated its process.
        case exited(code: Int32, Activity)
        /// The engine did not reply within the given time.
        case hung(Duration, Activity)
        /// The process sent a malformed frame or closed its sockets.
        case violatedProtocol(Activity)
        case reported(EngineError)
        /// The text exceeds the maximum length of a request or contains a NUL.
        case unspeakableText

        /// Whether another process or the kernel killed the worker, for example at shutdown or because memory ran out.
        package var isExternalKill: Bool {
            if case .crashed(let signal, _) = self { !Self.faults.contains(signal) } else { false }
        }

        /// The signals that result from a program's own faults.
        private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
    }

    /// Why the worker did not start or its lane did not open.
    package enum StartFailure: Equatable, Sendable {
        case program(String, Errno)
        /// The socket for a lane could not be created.
        case lane(Errno)
        /// The system or a limit for this user did not allow another thread for the worker.
        case noThread
    }

    /// What the engine was doing when it failed.
    package enum Activity: UInt8, Frame {
        case describing
        case loading
        case speaking
        case listening
    }
}

extension EngineFailure: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(words: engine)
        frame.write(words: log)
        frame.write(missed)
        switch reason {
        case .refused(let refusal): frame.write(1 as UInt8, refusal)
        case .notStarted(.program(let path, let error)):
            frame.write(2 as UInt8)
            frame.write(words: path)
            frame.write(error)
        case .notStarted(.lane(let error)): frame.write(3 as UInt8, error)
        case .notStarted(.noThread): frame.write(4 as UInt8)
        case .crashed(let signal, let activity): frame.write(5 as UInt8, signal, activity)
        case .exited(let code, let activity): frame.write(6 as UInt8, code, activity)
        case .hung(let limit, let activity):
            let milliseconds = Int64(clamping: limit.attoseconds / Duration.milliseconds(1).attoseconds)
            frame.write(7 as UInt8, milliseconds, activity)
        case .violatedProtocol(let activity): frame.write(8 as UInt8, activity)
        case .reported(let error): frame.write(9 as UInt8, error)
        case .unspeakableText: frame.write(10 as UInt8)
        }
    }

    package init(from frame: inout FrameReader) throws {
        engine = try frame.read()
        log = try frame.read()
        missed = try frame.read()
        reason =
            switch try frame.read(UInt8.self) {
            case 1: .refused(try frame.read())
            case 2: .notStarted(.program(try frame.read(), try frame.read()))
            case 3: .notStarted(.lane(try frame.read()))
            case 4: .notStarted(.noThread)
            case 5: .crashed(signal: try frame.read(), try frame.read())
            case 6: .exited(code: try frame.read(), try frame.read())
            case 7: .hung(.milliseconds(try frame.read(Int64.self)), try frame.read())
            case 8: .violatedProtocol(try frame.read())
            case 9: .reported(try frame.read())
            case 10: .unspeakableText
            default: throw MalformedFrame()
            }
    }
}
