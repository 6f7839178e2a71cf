import CLinux
import EngineWire
import Glibc
import System

/// A running worker. It ends with this value at the latest. Any thread may use it.
final class WorkerProcess: Sendable {
    private let watch: WorkerWatch
    /// One question and its answer at a time.
    private let asking = Lock()

    var identifier: pid_t { watch.process }
    /// Readable once it has ended, whoever else holds its sockets.
    var ended: Descriptor { watch.ended }

    init(program: WorkerProgram, engineFile: String, onLog: @escaping EngineLog) throws(EngineFailure) {
        do {
            let (ours, theirs) = try Descriptor.socketPair()
            let output = try Descriptor.pipe()
            let process = try WorkerSpawn.start(
                program: program.path, arguments: [absolutePath(engineFile)], environment: program.environment,
                control: theirs, output: output.writing)
            let name = engineFile.split(separator: "/").last ?? "engine"
            watch = try WorkerWatch(
                process: process, control: FrameSocket(ours), output: output.reading,
                logPath: "\(program.logFolder)/\(name).log", onLog: onLog)
        } catch {
            throw EngineFailure(engine: engineFile, reason: .notStarted(.program(program.path, error)))
        }
    }

    // Not only its end of the socket: whatever the engine does meanwhile, nothing of it may outlive the host.
    deinit { watch.kill(.abandoned) }

    /// It runs, and nothing is wrong with it so far.
    var isSound: Bool { watch.isSound }

    /// What it printed, where it printed anything.
    var log: String? { watch.log }

    /// Asks on the control socket and waits for the answer; log lines go to `watch`. Blocks up to `limit`.
    func ask(
        _ request: ControlRequest, passing lane: Descriptor? = nil, limit: Duration,
        _ activity: EngineFailure.Activity
    ) throws(WorkerFailure) -> ControlReply {
        try asking.withLock { () throws(WorkerFailure) in
            // Where the worker is gone already, its last words or its exit say why; where it takes nothing more, it
            // answers nothing either.
            try? watch.control.send(request.frameBytes, passing: lane, wait: false)
            var limit = WaitLimit(limit)
            return try answer(within: &limit, activity)
        }
    }

    /// The next answer.
    func answer(
        within limit: inout WaitLimit, _ activity: EngineFailure.Activity
    ) throws(WorkerFailure) -> ControlReply {
        while true {
            let step = limit.step()
            if let reply = watch.nextReply(limit: step) { return reply }
            if let reason = watch.exitReason(activity) { throw WorkerFailure(reason) }
            guard step == .zero else { continue }
            watch.kill(.hung(limit.duration))
            throw WorkerFailure(.hung(limit.duration, activity))
        }
    }

    /// Waits for nothing.
    func cancel(lane: UInt32, serial: UInt64) {
        try? watch.control.send(ControlRequest.cancel(lane: lane, serial: serial).frameBytes, wait: false)
    }

    /// Why it ended, waiting a moment for it where a lane saw its end first.
    func exitReason(_ activity: EngineFailure.Activity) -> EngineFailure.Reason {
        watch.waitForExit(limit: .seconds(2))
        if let reason = watch.exitReason(activity) { return reason }
        watch.kill(.violatedProtocol)
        return .violatedProtocol(activity)
    }

    func terminate(_ cause: WorkerWatch.Cause) { watch.terminate(cause) }
    func kill(_ cause: WorkerWatch.Cause) { watch.kill(cause) }

    /// Processor time that it used so far; nil where it is gone.
    var processorTime: Duration? { ProcessorTime.used(by: identifier) }
}

/// Why a worker did not answer; the engine's name is added above.
struct WorkerFailure: Error {
    let reason: EngineFailure.Reason
    init(_ reason: EngineFailure.Reason) { self.reason = reason }
}
