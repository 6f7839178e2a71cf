import CSynthEngine
import Glibc
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The worker's end of the control socket. It is global because the engine's `log` function has no context argument.
enum Control {
    static let descriptor: Int32 = 3
    static let socket = FrameSocket(Descriptor(owning: descriptor))

    /// Sends a reply to the host. If the host has exited, or the engine closed the socket, the process exits.
    static func reply(_ reply: ControlReply) {
        do {
            try socket.send(reply.frameBytes)
        } catch {
            WorkerEnding.leave(because: error)
        }
    }

    /// Sends a log line. It is dropped if the host is too slow, because logging must never block an engine.
    static func log(_ severity: synth_severity, _ line: UnsafePointer<CChar>?) {
        let severity = LogSeverity(rawValue: UInt8(truncatingIfNeeded: severity.rawValue)) ?? .info
        try? socket.send(ControlReply.log(severity, known(line) ?? "").frameBytes, wait: false)
    }
}

/// Exits the worker, always with `_exit`, because destructors would run while lanes are still active.
enum WorkerEnding {
    /// The host has exited: also kills all processes that the engine started.
    static func leave() -> Never {
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(0)
    }

    /// The engine wrote to the sockets or closed them, so they are unusable. The exit status informs the host, which kills
    /// the other processes in the group.
    static func leaveDamaged() -> Never { _exit(damagedExitStatus) }

    /// The system allows no more threads, so the engine cannot be used.
    static func leaveThreadless() -> Never { _exit(threadlessExitStatus) }

    /// A socket failed.
    static func leave(because error: Errno) -> Never {
        error.code == EPIPE || error.code == ECONNRESET ? leave() : leaveDamaged()
    }
}
