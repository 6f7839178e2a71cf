import EngineWire
import Glibc
import System

/// Ends the worker, always with `_exit`, because destructors would run while lanes still speak.
enum WorkerExit {
    /// The host is gone: also ends all processes that the engine started.
    static func leave() -> Never {
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(0)
    }

    /// The engine wrote to the sockets or closed them, so they cannot be used. The exit status tells the host, which
    /// ends the rest of the process group.
    static func leaveDamaged() -> Never { _exit(damagedExitStatus) }

    /// The system has no thread left, so nothing can be asked of the engine.
    static func leaveThreadless() -> Never { _exit(threadlessExitStatus) }

    /// A socket failed.
    static func leave(because error: Errno) -> Never {
        error.code == EPIPE || error.code == ECONNRESET ? leave() : leaveDamaged()
    }
}
