import Glibc
import SynthEngineWire
import SynthSystem

/// Runs a job in a separate process and kills the entire process group afterwards.
package struct CheckProcess: Sendable {
    let program: String
    let limit: Duration
    /// Signaled to kill the running process and to prevent more processes from starting.
    let stop: WakeUp

    /// The messages from a process, and how the process ended.
    package struct Report: Sendable {
        package var engine: EngineIdentity?
        package var outcome: CheckOutcome
    }

    /// Runs a job, calling `waiting` periodically. Blocks until the process has ended. Returns nil if the job was
    /// stopped.
    package func run(_ job: CheckJob, waiting: () -> Void = {}) -> Report? {
        var received: CheckOutput
        var running: RunningProgram
        do throws(Errno) {
            let (ours, theirs) = try Descriptor.socketPair()
            let output = try Descriptor.pipe()
            running = try RunningProgram(
                WorkerSpawn.start(
                    program: program, arguments: job.arguments,
                    allowing: Set(job.allowed.compactMap(\.variable)), control: theirs, output: output.writing))
            received = CheckOutput(control: FrameSocket(ours), output: output.reading)
        } catch {
            return Report(outcome: CheckOutcome(.skipped, .notStarted(program, error)))
        }
        switch received.follow(until: running.ended, limit: limit, stop: stop, waiting) {
        case .stopped: return nil
        case .timeIsUp:
            let detail = CheckOutcome.Detail.hung(limit, step: received.step)
            return report(CheckOutcome(.crashed, detail), job.task, received)
        case .ended:
            let exit = running.end()
            let outcome =
                received.finding.map { CheckOutcome($0) } ?? Self.outcome(of: exit, job.task, received)
            return report(outcome, job.task, received)
        }
    }

    private func report(_ outcome: CheckOutcome, _ task: CheckJob.Task, _ received: CheckOutput) -> Report {
        var outcome = outcome
        if task == .check(.asksOnlyForWhatItMay) { outcome.weigh(refused: received.refused) }
        return Report(engine: received.engine, outcome: outcome)
    }

    private static func outcome(
        of exit: RunningProgram.Ending, _ task: CheckJob.Task, _ output: CheckOutput
    ) -> CheckOutcome {
        let (step, lastLine) = (output.step, output.lastLine)
        if exit.signal == SIGSYS, case .check(let check) = task, let action = check.forbiddenAction {
            return CheckOutcome(.failed, .forbidden(action, step: step))
        }
        return CheckOutcome(
            .crashed,
            exit.signal != 0
                ? .crashed(signal: exit.signal, step: step, lastLine: lastLine)
                : .exited(code: exit.code, step: step, lastLine: lastLine))
    }
}

/// Collects a process's messages and output until the process ends.
private struct CheckOutput {
    let control: FrameSocket
    let output: Descriptor
    private(set) var engine: EngineIdentity?
    private(set) var finding: CheckFinding?
    private(set) var step: String?
    private(set) var refused: [String] = []
    var printed: [UInt8] = []
    var hasControl = true
    var hasOutput = true

    enum End {
        case ended
        case timeIsUp
        case stopped
    }

    /// The last line of the output, or nil if there is no output.
    var lastLine: String? {
        let line = printed.split(separator: UInt8(ascii: "\n")).last
        return line.map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func follow(until ended: Descriptor, limit: Duration, stop: WakeUp, _ waiting: () -> Void) -> End {
        var clock = RunningClock()
        let deadline = clock.now() + limit
        while true {
            // poll ignores negative descriptors.
            let ready = try? Poll.wait(
                [
                    (hasControl ? control.descriptor.raw : -1, events: POLLIN),
                    (hasOutput ? output.raw : -1, events: POLLIN),
                    (ended.raw, events: POLLIN), (stop.descriptor.raw, events: POLLIN),
                ], timeout: max(.zero, min(RunningClock.longestStep, deadline - clock.now())))
            guard let ready else { return .timeIsUp }
            if ready[3] != 0 { return .stopped }
            waiting()
            if ready[0] != 0 { readControl() }
            if ready[1] != 0 { readOutput() }
            if ready[2] != 0 { break }
            if deadline <= clock.now() { return .timeIsUp }
        }
        // The last messages may still be queued. Child processes may keep the pipe open, so do not read it to the end.
        while hasControl, isReady(control.descriptor) { readControl() }
        while hasOutput, isReady(output) { readOutput() }
        return .ended
    }

    private func isReady(_ descriptor: Descriptor) -> Bool {
        (try? Poll.wait([(descriptor.raw, events: POLLIN)], timeout: .zero))?.first ?? 0 != 0
    }

    private mutating func readControl() {
        guard let (bytes, _) = try? control.receive(wait: false),
            let message = try? CheckMessage(frameBytes: bytes[...])
        else {
            hasControl = false
            return
        }
        switch message {
        case .engine(let identity): engine = identity
        case .step(let what): step = what
        case .finding(let found): finding = found
        case .refused(let what): if refused.count < CheckOutcome.maximumRefusals { refused.append(what) }
        }
    }

    private mutating func readOutput() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
            guard let count = try? output.read(into: buffer), count > 0 else {
                hasOutput = false
                return
            }
            printed = (printed + buffer[..<count]).suffix(1024)
        }
    }
}
