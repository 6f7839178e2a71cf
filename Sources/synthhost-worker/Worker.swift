import CLinux
import Glibc
import System

/// The process that hosts one engine: checks the file, loads it, and runs the requests of the control socket.
///
/// Usage: `synthhost-worker FILE.so`, with the control socket on descriptor 3. It ends when that socket closes.
@main
struct Worker {
    static func main() {
        let arguments = ProcessArguments.texts
        guard let file = arguments.first, arguments.count == 1, fcntl(Control.descriptor, F_GETFD) != -1 else {
            print("synthhost-worker is started by synthhost, which hands it an engine and a socket.")
            exit(64)
        }
        _ = fcntl(Control.descriptor, F_SETFD, FD_CLOEXEC)
        // Writing beyond the file size limit then fails with an error instead of killing the process.
        signal(SIGXFSZ, SIG_IGN)
        linux_harden()
        ControlLoop(file: file).run()
        WorkerExit.leave()
    }
}
