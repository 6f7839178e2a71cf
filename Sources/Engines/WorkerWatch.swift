import CLinux
import EngineWire
import Glibc
import LinuxSystem

/// Reads what a worker says and prints, and sees it end, on a thread of its own.
final class WorkerWatch: Sendable {
    let process: pid_t
    let control: FrameSocket
    private let output: Descriptor
    private let ended: Descriptor
    private let logPath: String
    private let onLog: EngineLog

    private struct State {
        var replies: [ControlReply] = []
        var exit: WorkerExit?
        var isCondemned = false
        var hasPrinted = false
    }
    private let state = Monitor(State())

    /// Takes over a process that was just started, and ends it where that fails.
    init(
        process: pid_t, control: FrameSocket, output: Descriptor, logPath: String, onLog: @escaping EngineLog
    ) throws(Errno) {
        self.process = process
        self.control = control
        self.output = output
        self.logPath = logPath
        self.onLog = onLog
        do {
            ended = Descriptor(owning: try Errno.check { linux_pidfd_open(process) })
        } catch {
            Self.discard(process)
            throw error
        }
        guard startThread("worker-watch", { [self] in run() }) else {
            Self.discard(process)
            throw Errno(EAGAIN)
        }
    }

    private static func discard(_ process: pid_t) {
        Glibc.kill(-process, SIGKILL)
        var (code, signal): (Int32, Int32) = (0, 0)
        linux_wait_exit(process, true, &code, &signal)
    }

    var exit: WorkerExit? { state.read { $0.exit } }

    /// The file with what it printed, where it printed anything.
    var log: String? { state.read { $0.hasPrinted ? logPath : nil } }

    /// The next answer; nil when the time is up or the worker ended without one.
    func nextReply(limit: Duration) -> ControlReply? {
        let next: ControlReply?? = state.wait(timeout: limit) { state in
            if !state.replies.isEmpty { return .some(state.replies.removeFirst()) }
            return state.exit == nil ? nil : .some(nil)
        }
        return next ?? nil
    }

    func waitForExit(limit: Duration) {
        _ = state.wait(timeout: limit) { $0.exit }
    }

    /// nil while it runs.
    func exitReason(_ activity: EngineFailure.Activity) -> EngineFailure.Reason? {
        state.read { state in
            guard let exit = state.exit else { return nil }
            if state.isCondemned { return .garbled(activity) }
            return exit.signal != 0 ? .crashed(signal: exit.signal, activity) : .exited(code: exit.code, activity)
        }
    }

    /// Closes the control socket, on which the worker leaves by itself.
    func end() { shutdown(control.descriptor.raw, Int32(SHUT_RDWR)) }

    func terminate() { signal(SIGTERM) }
    func kill() { signal(SIGKILL) }

    /// Ends it, for what it sent cannot be understood.
    func condemn() {
        state.update { $0.isCondemned = true }
        kill()
    }

    /// Never hits a process that only happens to have the same number: it is free only after `exit` is set.
    private func signal(_ signal: Int32) {
        state.read { state in
            if state.exit == nil { _ = Glibc.kill(-process, signal) }
        }
    }

    // MARK: - The thread

    private func run() {
        let log = WorkerLog(path: logPath)
        var (hasControl, hasOutput) = (true, true)
        while true {
            // poll passes over a descriptor below 0.
            let ready = try? Poll.wait([
                (hasControl ? control.descriptor.raw : -1, events: POLLIN),
                (hasOutput ? output.raw : -1, events: POLLIN),
                (ended.raw, events: POLLIN),
            ])
            guard let ready else { break }
            if ready[0] != 0 { hasControl = readControl() != .closed }
            if ready[1] != 0 { hasOutput = readOutput(into: log) }
            if ready[2] != 0 { break }
        }
        // What it said and printed last is still queued, and what it started may still hold the pipe open.
        while hasControl, readControl() == .taken {}
        while hasOutput, isOutputReady, readOutput(into: log) {}
        reap()
    }

    private enum Taken {
        case taken
        case none
        case closed
    }

    private func readControl() -> Taken {
        do throws(Errno) {
            guard let (bytes, _) = try control.receive(wait: false) else { return .closed }
            switch try? ControlReply(frameBytes: bytes[...]) {
            case .log(let severity, let line): onLog(severity, line)
            case .some(let reply): state.update { $0.replies.append(reply) }
            case nil: condemn()
            }
            return .taken
        } catch {
            if error.code == EAGAIN { return .none }
            condemn()
            return .closed
        }
    }

    private var isOutputReady: Bool {
        (try? Poll.wait([(output.raw, events: POLLIN)], timeout: .zero))?.first ?? 0 != 0
    }

    private func readOutput(into log: WorkerLog) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 16) { buffer in
            guard let count = try? output.read(into: buffer), count > 0 else { return false }
            log.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            state.update { $0.hasPrinted = true }
            return true
        }
    }

    /// Ends what the worker left in its process group, then lets its number go.
    private func reap() {
        Glibc.kill(-process, SIGKILL)
        var (code, signal): (Int32, Int32) = (0, 0)
        linux_wait_exit(process, true, &code, &signal)
        let exit = WorkerExit(code: code, signal: signal)
        state.update { $0.exit = exit }
    }
}
