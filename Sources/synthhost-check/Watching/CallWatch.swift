import CSynthLinux
import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// A companion process, which the kernel notifies of the engine's refused calls.
///
/// A refused call waits for the companion's answer, so each report is sent before the engine continues or exits. The
/// companion has the same Landlock domain as the engine, so the engine cannot open a path that the companion cannot
/// open. The companion may read the engine's memory. It has no system call filter and runs no external code.
struct CallWatch {
    private let calls: Descriptor
    private let policy: CallPolicy
    private let tell: (String) -> Void
    private var told: Set<String> = []

    /// Confines this process and starts a companion process that reports refused calls. The calling thread must be the
    /// only thread.
    ///
    /// - Parameter tell: called in the companion process with a description of the refused call, phrased to follow "It
    ///   was not allowed".
    /// - Returns: false if the kernel or container does not support reports of refused calls. In that case, this
    ///   process must not run external code.
    static func begin(_ confinement: Confinement, tell: @escaping (String) -> Void) -> Bool {
        let gap = confinement.apply { permissions, missing in
            let policy = CallPolicy(watched: getpid(), files: missing.contains(.files) ? nil : confinement.files)
            return start(policy, permissions, tell)
        }
        return !gap.contains(.calls)
    }

    private static func start(_ policy: CallPolicy, _ permissions: UInt32, _ tell: @escaping (String) -> Void) -> Bool {
        guard let socket = startCompanion({ follow($0, policy, tell) }) else { return false }
        let calls = linux_watch_calls(permissions)
        guard calls >= 0 else { return false }
        // Sending the descriptor also closes its last copy in this process. With a copy, an engine could answer its own
        // calls.
        guard (try? socket.send(ready, passing: Descriptor(owning: calls))) != nil else { return false }
        return (try? socket.receive())?.bytes == ready
    }

    /// Starts the companion process, which runs `body` and exits. Each process notices when the other exits.
    private static func startCompanion(_ body: (FrameSocket) -> Void) -> FrameSocket? {
        guard let (ours, theirs) = try? Descriptor.socketPair() else { return nil }
        let watcher = linux_fork_apart()
        if watcher == 0 {
            close(ours.raw)
            body(FrameSocket(theirs))
            _exit(0)
        }
        guard watcher > 0 else { return nil }
        linux_be_read_by(watcher)
        return FrameSocket(ours)
    }

    private static let ready: [UInt8] = [1]

    /// Runs the main loop of the companion process.
    private static func follow(_ socket: FrameSocket, _ policy: CallPolicy, _ tell: @escaping (String) -> Void) {
        guard let calls = (try? socket.receive())?.passed,
            let end = try? Errno.check({ linux_pidfd_open(policy.watched) }),
            linux_can_let_calls_through(calls.raw), policy.canReadMemory,
            (try? socket.send(ready)) != nil
        else { return }
        var watch = CallWatch(calls: calls, policy: policy, tell: tell)
        while let events = try? Poll.wait([(calls.raw, events: POLLIN), (end, events: POLLIN)]) {
            if events[0] & Int32(POLLIN) != 0 {
                watch.answer()
            } else if events != [0, 0] {
                return
            }
        }
    }

    private mutating func answer() {
        var call = linux_call()
        guard linux_next_call(calls.raw, &call) else { return }
        let verdict = policy.verdict(on: call)
        // Continue only if the call is still waiting, because the ID of a thread that has exited may be reused.
        guard linux_call_waits(calls.raw, call.id) else { return }
        if let words = verdict.refused, told.count < CheckOutcome.maximumRefusals, told.insert(words).inserted {
            tell(words)
        }
        linux_answer_call(calls.raw, call.id, verdict.failure)
    }
}
