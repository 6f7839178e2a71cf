package import CSynthLinux
import Glibc
import Synchronization
package import SynthEngineWire
package import SynthSystem

/// A running worker process, which is killed when this object is released. Thread-safe.
package final class WorkerProcess: Sendable {
    /// The engine's ID, or the path of its file if the ID is not known yet.
    private let engine: String
    private let supervisor: WorkerObserver
    /// The files that the worker's engine may read and write.
    private let files: FileRules
    private let isConfined: Bool
    /// Permissions that the engine requests but has not been granted, and requested variables that are set but withheld.
    private let missed: [EngineNeed]
    /// Ensures that no more than one request is pending at a time.
    private let asking = Lock()
    private let isStuck = Atomic(false)

    package var identifier: pid_t { supervisor.process }
    /// A pidfd that is readable when the process has ended, even if its sockets are still open in other processes.
    package var ended: Descriptor { supervisor.ended }

    /// - Parameters:
    ///   - engine: the engine's ID, or nil if it is not known yet.
    ///   - request: the variables and permissions that the engine requests.
    ///   - files: the files that the engine may read and write.
    package init(
        program: WorkerProgram, engineFile: String, as kind: PluginKind = .engine, engine: String? = nil,
        asking request: WorkerRequest = WorkerRequest(),
        files: FileRules = FileRules(), onLog: @escaping EngineLog
    ) throws(EngineFailure) {
        self.engine = engine ?? engineFile
        self.files = files
        isConfined = program.confinement != .off
        let allowed = request.allowed(to: engineFile)
        let variables = Set(allowed.compactMap(\.variable))
        let withheld = EngineVariables.withheld(
            request.variables, from: program.environment ?? ProcessEnvironment().variables, allowed: variables)
        missed =
            (isConfined ? request.needs.filter { !allowed.contains($0.kind) } : [])
            + withheld.map { EngineNeed(.variable($0), reason: "") }
        do {
            let (ours, theirs) = try Descriptor.socketPair()
            let output = try Descriptor.pipe()
            let process = try WorkerSpawn.start(
                program: program.path,
                arguments: WorkerArguments(
                    file: absolutePath(engineFile), as: kind, files: files, confinement: program.confinement,
                    allowed: allowed.filter { $0.variable == nil }, landlock: program.landlockVersion
                ).words, environment: program.environment,
                allowing: variables, control: theirs, output: output.writing, by: program.starter)
            let name = engineFile.split(separator: "/").last ?? "engine"
            supervisor = try WorkerObserver(
                process: process, control: FrameSocket(ours), output: output.reading,
                logPath: "\(program.logFolder)/\(name).log", onLog: onLog)
        } catch {
            throw EngineFailure(engine: engineFile, reason: .notStarted(.program(program.path, error)))
        }
    }

    // Closing the socket is not enough: a busy engine would not notice, but must not outlive the host.
    deinit { supervisor.kill(.abandoned) }

    /// Whether the engine may use these files. A confined worker can access only the files that it was started with.
    package func mayUse(_ files: FileRules) -> Bool { !isConfined || self.files.includes(files) }

    /// Whether the worker is running and the host has not detected a fault in it.
    package var isSound: Bool { supervisor.isSound }

    /// Whether the worker is healthy and can load models and open lanes. A worker that failed to unload a model keeps its open lanes but
    /// accepts no more requests.
    package var takesRequests: Bool { isSound && !isStuck.load(ordering: .acquiring) }

    /// The path of the log file with the worker's output, or nil if there is no output.
    package var log: String? { supervisor.log }

    /// Sends a request on the control socket and waits for the reply. Blocks for up to `limit`.
    ///
    /// - Parameter isHung: called repeatedly. It may extend the timeout and returns true if the engine is hung.
    package func ask(
        _ request: ControlRequest, passing lane: Descriptor? = nil, limit: Duration,
        _ activity: EngineFailure.Activity, unless isHung: (inout WaitLimit) -> Bool = { _ in false }
    ) throws(EngineFailure) -> ControlReply {
        try asking.withLock { () throws(EngineFailure) in
            // The next reply might belong to an earlier request.
            if isStuck.load(ordering: .acquiring) { throw failure(.hung(limit, activity)) }
            // Errors are ignored: if the worker has ended, `answer` throws the reason; if its socket is full, there is no reply.
            try? supervisor.control.send(request.frameBytes, passing: lane, wait: false)
            var limit = WaitLimit(limit)
            return try answer(within: &limit, activity, unless: isHung)
        }
    }

    /// Makes the worker unload a model whose lanes are closed and waits until the memory is free. Blocks for up to
    /// `limit`. After a timeout or an unexpected reply, the worker accepts no more requests.
    package func unload(model: UInt32, limit: Duration) {
        asking.withLock {
            if isStuck.load(ordering: .acquiring) { return }
            try? supervisor.control.send(ControlRequest.unload(model: model).frameBytes, wait: false)
            var limit = WaitLimit(limit)
            if reply(within: &limit) != .done { takeNoMoreRequests() }
        }
    }

    package func takeNoMoreRequests() { isStuck.store(true, ordering: .releasing) }

    func answer(
        within limit: inout WaitLimit, _ activity: EngineFailure.Activity,
        unless isHung: (inout WaitLimit) -> Bool = { _ in false }
    ) throws(EngineFailure) -> ControlReply {
        if let reply = reply(within: &limit, unless: isHung) { return reply }
        if let reason = supervisor.exitReason(activity) { throw failure(reason) }
        let left = limit.left()
        let waited = left > .zero ? limit.duration - left : limit.duration
        let rounded = Duration.milliseconds(Int((waited / .milliseconds(100)).rounded()) * 100)
        supervisor.kill(.hung(rounded))
        throw failure(.hung(rounded, activity))
    }

    /// Returns the next reply, or nil after the timeout or if the worker has ended or hangs.
    private func reply(within limit: inout WaitLimit, unless isHung: (inout WaitLimit) -> Bool = { _ in false })
        -> ControlReply?
    {
        while true {
            let step = limit.step()
            if let reply = supervisor.nextReply(limit: step) { return reply }
            if supervisor.hasEnded || isHung(&limit) || limit.left() == .zero { return nil }
        }
    }

    /// Cancels a request. Never blocks.
    package func cancel(lane: UInt32, serial: UInt64) {
        try? supervisor.control.send(ControlRequest.cancel(lane: lane, serial: serial).frameBytes, wait: false)
    }

    /// Returns why the worker ended. Waits for the exit status, because the lane's socket may be closed before the
    /// status is known.
    package func exitReason(_ activity: EngineFailure.Activity) -> EngineFailure.Reason {
        supervisor.waitForExit(limit: .seconds(2), whileBlocked: .seconds(60))
        if let reason = supervisor.exitReason(activity) { return reason }
        supervisor.kill(.violatedProtocol)
        return .violatedProtocol(activity)
    }

    /// Whether the host has stopped the worker because of a fault.
    package var isFaulty: Bool { supervisor.isFaulty }

    package func failure(_ reason: EngineFailure.Reason) -> EngineFailure {
        EngineFailure(engine: engine, reason: reason, log: log, missed: missed)
    }

    package func terminate(_ cause: WorkerObserver.Cause) { supervisor.terminate(cause) }
    package func kill(_ cause: WorkerObserver.Cause) { supervisor.kill(cause) }

    /// The worker's total CPU time, or nil if it has ended.
    package var processorTime: Duration? { ProcessorTime.used(by: identifier) }

    /// Whether the worker is waiting for a processor, or is waiting in the kernel for a page or a file.
    package var isBlocked: Bool { ThreadStates.isBlocked(identifier) }
}
