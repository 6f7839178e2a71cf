import CSynthLinux
import Glibc
import SynthEngineWire
import SynthSystem

/// Observes a worker on a separate thread: reads its replies and output and collects its exit status.
package final class WorkerObserver: Sendable {
    let process: pid_t
    let control: FrameSocket
    private let output: Descriptor
    let ended: Descriptor
    private let logPath: String
    private let onLog: EngineLog

    /// Why the host stopped the worker.
    package enum Cause {
        /// The worker violated the protocol, for example with a malformed frame.
        case violatedProtocol
        case hung(Duration)
        case abandoned
    }

    private struct State {
        var replies: [(reply: ControlReply, cost: Int)] = []
        var cost = 0
        var exit: RunningProgram.Ending?
        var cause: Cause?
        var hasPrinted = false
    }
    private let state = Monitor(State())

    /// Takes over a process that has just been started. Kills it if an error is thrown.
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
            _ = RunningProgram.collect(process)
            throw error
        }
        guard startThread("supervisor", { [self] in run() }) else {
            _ = RunningProgram.collect(process)
            throw Errno(EAGAIN)
        }
    }

    /// Whether the worker is running and the host has not detected a fault in it.
    var isSound: Bool { state.read { $0.exit == nil && $0.cause == nil } }

    /// Whether the exit status is known.
    var hasEnded: Bool { state.read { $0.exit != nil } }

    /// The path of the log file with the worker's output, or nil if there is no output.
    var log: String? { state.read { $0.hasPrinted ? logPath : nil } }

    /// Returns the next reply, or nil after the timeout or if the worker ended without a reply.
    func nextReply(limit: Duration) -> ControlReply? {
        let next: ControlReply?? = state.wait(timeout: limit) { state in
            if !state.replies.isEmpty {
                let (reply, cost) = state.replies.removeFirst()
                state.cost -= cost
                return .some(reply)
            }
            return state.exit == nil ? nil : .some(nil)
        }
        return next ?? nil
    }

    /// Waits until the exit status is known.
    ///
    /// - Parameters:
    ///   - limit: the timeout for a process that keeps running.
    ///   - blockedTime: the timeout for a process that has ended, or would end if it got CPU time.
    func waitForExit(limit: Duration, whileBlocked blockedTime: Duration) {
        var (limit, most) = (WaitLimit(limit), WaitLimit(blockedTime))
        let before = ProcessorTime.used(by: process) ?? .zero
        while state.wait(timeout: most.step(), until: { $0.exit }) == nil, most.left() > .zero {
            let hasEnded = ((try? Poll.wait([(ended.raw, events: POLLIN)], timeout: .zero)) ?? []).contains { $0 != 0 }
            if hasEnded || limit.left() > .zero { continue }
            let used = (ProcessorTime.used(by: process) ?? before) - before
            guard used < limit.duration, ThreadStates.isBlocked(process) else { return }
        }
    }

    /// Returns why the worker ended, or nil while it is running.
    func exitReason(_ activity: EngineFailure.Activity) -> EngineFailure.Reason? {
        state.read { state in
            guard let exit = state.exit else { return nil }
            switch state.cause {
            case .violatedProtocol: return .violatedProtocol(activity)
            case .hung(let limit): return .hung(limit, activity)
            case .abandoned: return .crashed(signal: SIGKILL, activity)
            case nil: break
            }
            if exit.code == damagedExitStatus { return .violatedProtocol(activity) }
            if exit.code == threadlessExitStatus {
                return .notStarted(.noThread)
            }
            return exit.signal != 0 ? .crashed(signal: exit.signal, activity) : .exited(code: exit.code, activity)
        }
    }

    /// Whether the host stopped the worker because of an engine fault.
    var isFaulty: Bool {
        state.read { state in
            switch state.cause {
            case .violatedProtocol, .hung: true
            case .abandoned, nil: false
            }
        }
    }

    func terminate(_ cause: Cause) { end(by: SIGTERM, cause) }
    func kill(_ cause: Cause) { end(by: SIGKILL, cause) }

    private func end(by signal: Int32, _ cause: Cause) {
        state.update { if $0.cause == nil { $0.cause = cause } }
        self.signal(signal)
    }

    /// Sends a signal. The process ID cannot have been reused by another process, because it is released only when `exit` is set.
    private func signal(_ signal: Int32) {
        state.read { state in
            if state.exit == nil { _ = Glibc.kill(-process, signal) }
        }
    }

    // MARK: - Thread

    private func run() {
        let log = WorkerLog(path: logPath)
        var (hasControl, hasOutput) = (true, true)
        var grace: WaitLimit?
        while true {
            // poll ignores negative descriptors.
            let ready = try? Poll.wait(
                [
                    (hasControl ? control.descriptor.raw : -1, events: POLLIN),
                    (hasOutput ? output.raw : -1, events: POLLIN),
                    (ended.raw, events: POLLIN),
                ], timeout: grace?.step())
            guard let ready, ready[2] == 0 else { break }
            if ready[0] != 0, readControl() == .closed {
                hasControl = false
                grace = WaitLimit(Self.exitGrace)
            }
            if ready[1] != 0 { hasOutput = readOutput(into: log) }
            if grace?.left() == .zero {
                kill(.violatedProtocol)
                grace = nil
            }
        }
        // Kill child processes first: they may keep the pipe open and print forever. The process ID has not been released yet.
        Glibc.kill(-process, SIGKILL)
        while hasControl, readControl() == .taken {}
        while hasOutput, isOutputReady, readOutput(into: log) {}
        // Collecting the exit status releases the process ID.
        let exit = RunningProgram.collect(process)
        state.update { $0.exit = exit }
    }

    /// The time between the closing of the control socket and SIGKILL.
    private static let exitGrace = Duration.seconds(2)

    private enum ReadResult {
        case taken
        case none
        case closed
    }

    private func readControl() -> ReadResult {
        do {
            guard let (bytes, _) = try control.receive(wait: false) else { return .closed }
            switch try? ControlReply(frameBytes: bytes[...]) {
            case .log(let severity, let line): onLog(severity, line.asOneLine)
            case .some(let reply): queue(reply, cost: bytes.count + 256)
            case nil: kill(.violatedProtocol)
            }
            return .taken
        } catch {
            if error.code == EAGAIN { return .none }
            kill(.violatedProtocol)
            return .closed
        }
    }

    /// Queues a reply. The total size is limited, because an engine may send replies without requests.
    private func queue(_ reply: ControlReply, cost: Int) {
        let isTooMuch = state.update { state in
            // Replies after a malformed frame are not trusted.
            if state.cause != nil { return false }
            guard state.cost + cost <= Self.maximumQueuedBytes else { return true }
            state.replies.append((reply, cost))
            state.cost += cost
            return false
        }
        if isTooMuch { kill(.violatedProtocol) }
    }

    /// The maximum size of queued replies in bytes, which is slightly more than the size of the longest description.
    private static let maximumQueuedBytes = 40 << 20

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
}
