import CLinux
import EngineLoading
import EngineWire
import Glibc
import LinuxSystem

/// The process that hosts one engine: checks the file, loads it, and does what comes on the control socket.
///
/// Usage: `synthhost-worker FILE.so`, with the control socket on descriptor 3. It ends when that socket closes.
@main
struct Worker {
    static func main() {
        guard CommandLine.arguments.count == 2, fcntl(Control.descriptor, F_GETFD) != -1 else {
            print("synthhost-worker is started by synthhost, which hands it an engine and a socket.")
            exit(64)
        }
        linux_harden()
        do {
            let library = try EngineLibrary(path: CommandLine.arguments[1])
            ControlLoop(table: try EngineTable(library, log: { Control.log($0, $1) })).run()
        } catch {
            Control.reply(.refused(error))
        }
        leave()
    }

    /// Ends at once, with whatever the engine started: destructors would run under lanes that still speak.
    private static func leave() -> Never {
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(0)
    }
}
