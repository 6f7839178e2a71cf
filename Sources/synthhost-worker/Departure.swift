import EngineWire
import Glibc
import System

/// How the worker ends: always at once, for destructors would run under lanes that still speak.
enum Departure {
    /// The host is gone: ends with whatever the engine started.
    static func leave() -> Never {
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(0)
    }

    /// The sockets cannot be trusted any more, for the engine wrote over them or closed them. Tells the host so, which
    /// ends the rest of the process group.
    static func leaveDamaged() -> Never { _exit(damagedExitStatus) }

    /// The system has no thread left, so nothing can be asked of the engine.
    static func leaveThreadless() -> Never { _exit(threadlessExitStatus) }

    /// A socket failed.
    static func leave(because error: Errno) -> Never {
        error.code == EPIPE || error.code == ECONNRESET ? leave() : leaveDamaged()
    }
}
