import CSynthEngine
import Glibc
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The worker's end of the control socket. It is global because the engine's `log` function has no context argument.
enum Control {
    static let descriptor: Int32 = 3
    static let socket = FrameSocket(Descriptor(owning: descriptor))

    /// Sends a reply to the host. If the host has exited or the engine closed the socket, the process exits.
    static func reply(_ reply: ControlReply) {
        do {
            try socket.send(reply.frameBytes)
        } catch {
            WorkerEnding.leave(because: error)
        }
    }

    /// Sends a log line, or drops it if the host is too slow. Logging must never block an engine.
    static func log(_ severity: synth_severity, _ line: UnsafePointer<CChar>?) {
        let severity = LogSeverity(rawValue: UInt8(truncatingIfNeeded: severity.rawValue)) ?? .info
        try? socket.send(ControlReply.log(severity, known(line) ?? "").frameBytes, wait: false)
    }
}

/// Exits the worker. Uses `_exit`, because destructors must not run while lanes are active.
enum WorkerEnding {
    /// Exits because the host has exited. Also kills all processes that the engine started.
    static func leave() -> Never {
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(0)
    }

    /// Exits because the engine wrote to the sockets or closed them, which makes them unusable. The exit status
    /// notifies the host, which kills the other processes in the process group.
    static func leaveDamaged() -> Never { _exit(damagedExitStatus) }

    /// Exits because the system cannot create more threads.
    static func leaveThreadless() -> Never { _exit(threadlessExitStatus) }

    /// Exits because a socket failed.
    static func leave(because error: Errno) -> Never {
        error.code == EPIPE || error.code == ECONNRESET ? leave() : leaveDamaged()
    }
}
