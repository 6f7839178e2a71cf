import CLinux
import EngineChecks
import Glibc
import System

/// The process of one check: loads the engine, runs the check and reports what it found.
///
/// Usage: `synthhost-check CHECK FILE.so [FOLDER [VOICE [ROLE=PATH…]]]`. With a socket on descriptor 3 it sends frames;
/// without one, as under a debugger, it prints its findings.
@main
struct CheckMain {
    static func main() {
        guard let job = CheckJob(arguments: ProcessArguments.texts) else {
            print("synthhost-check is started by `synthhost engines validate`, which lists the checks with --list.")
            exit(64)
        }
        // Writing beyond the file size limit then fails with an error instead of killing the process.
        signal(SIGXFSZ, SIG_IGN)
        linux_harden()
        let sender = FindingSender()
        sender.endWithHost()
        let finding: CheckFinding
        do throws(CheckFinding) {
            let subject = Subject(job, sender: sender, surroundings: try Surroundings.enter(job.folder))
            finding =
                switch job.task {
                case .check(let check): try check.run(on: subject)
                case .fuzz(let seed): try FuzzChunk(seed: seed).run(on: subject)
                }
        } catch {
            finding = error
        }
        sender.send(.finding(finding))
        // Destructors must not run while threads that the engine left still run.
        fflush(nil)
        _exit(0)
    }
}
