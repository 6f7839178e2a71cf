package import SynthEngineWire
import SynthSystem

/// The components of a worker's lane.
package struct LaneOpening {
    let worker: WorkerProcess
    let number: UInt32
    let socket: FrameSocket
    let limits: EngineLimits
    /// Must be called when the lane is closed. Can be called from any thread.
    let onClose: @Sendable () -> Void
}

/// A plugin's worker processes, with the models loaded in them. Workers are started on demand: one worker for the
/// first lane, additional workers when no existing worker has a free lane, and replacements after crashes. The workers
/// end when this object and all lanes have been released. The pool does not interpret the engine's requests.
/// Thread-safe.
///
/// A model stays loaded while a lane is open on it.
package final class WorkerPool<Description: PluginDescription>: Sendable {
    package let file: String
    package let description: Description
    private let request: WorkerRequest
    private let maximumLanes: Int
    private let program: WorkerProgram
    private let limits: EngineLimits
    private let onLog: EngineLog

    private let state = Monitor(PoolState())
    /// Serializes the opening of lanes, because loading a model takes seconds and a second caller may need the same
    /// model.
    private let opening = Lock()

    /// - Parameter allowed: the permissions that the user grants the plugin.
    package init(
        file: String, description: Description, program: WorkerProgram, limits: EngineLimits = EngineLimits(),
        allowing allowed: [EngineNeed.Kind] = [], onLog: @escaping EngineLog = { _, _ in }
    ) {
        self.file = file
        self.description = description
        request = WorkerRequest(
            variables: description.variables, needs: description.needs, allowed: allowed, to: file)
        maximumLanes = description.maxLanes == 0 ? .max : Int(description.maxLanes)
        self.program = program
        self.limits = limits
        self.onLog = onLog
    }

    // A worker without lanes may still be unloading a model. The unload need not finish.
    deinit { for worker in state.read({ $0.workers.idle }) { worker.kill(.abandoned) } }

    /// Opens a lane for a model, loading the model if necessary. Blocks until the lane is open.
    ///
    /// - Parameters:
    ///   - files: the files that requests on the lane pass to the engine, in addition to those that every worker may read.
    ///   - isReplaceable: whether a listener is waiting and another engine can take over, in which case the timeout for an idle engine is
    ///     shorter.
    ///   - make: creates the lane.
    func openLane<Lane: Sendable>(
        on load: LoadRequest, handing files: [HandedFile], whileReplaceable isReplaceable: () -> Bool,
        _ make: (LaneOpening) throws(EngineFailure) -> Lane
    ) throws(EngineFailure) -> Lane {
        try opening.withLock { () throws(EngineFailure) in
            let files = program.files(for: load, files)
            while true {
                let (worker, isNew) = try freeWorker(for: load, files)
                do throws(EngineFailure) {
                    return try lane(on: load, in: worker, isReplaceable, make)
                } catch {
                    // A previously used worker may have crashed unnoticed, so try a new worker.
                    if !isNew, !worker.takesRequests { continue }
                    throw error
                }
            }
        }
    }

    /// Stops the workers immediately. Current and later calls to `openLane` and to lane methods throw. Never blocks.
    package func abandon() {
        let workers = state.update { state in
            state.isAbandoned = true
            return state.workers.processes
        }
        for worker in workers { worker.kill(.abandoned) }
    }

    /// The current resource usage. Reads /proc.
    package var figures: EngineFigures {
        let (processes, models) = state.read { ($0.workers.processes, $0.workers.models) }
        return EngineFigures(
            id: description.id, plugin: file,
            processes: processes.filter(\.isSound).map { process in
                .init(identifier: process.identifier, memory: ChildMemory.resident(of: process.identifier))
            }, models: models)
    }

    private func freeWorker(
        for load: LoadRequest, _ files: FileRules
    ) throws(EngineFailure) -> (WorkerProcess, isNew: Bool) {
        let free = state.update { state in
            state.workers.removeEnded()
            return state.workers.free(for: load, files, lanes: maximumLanes)
        }
        if let free { return (free, false) }
        let worker = try WorkerProcess(
            program: program, engineFile: file, as: Description.kind, engine: description.id, asking: request,
            files: files, onLog: onLog)
        let isAbandoned = state.update { state in
            state.workers.add(worker)
            return state.isAbandoned
        }
        if isAbandoned { worker.kill(.abandoned) }
        return (worker, true)
    }

    private func lane<Lane: Sendable>(
        on load: LoadRequest, in worker: WorkerProcess, _ isReplaceable: () -> Bool,
        _ make: (LaneOpening) throws(EngineFailure) -> Lane
    ) throws(EngineFailure) -> Lane {
        let model = try use(load, in: worker, isReplaceable)
        do {
            return try open(model, load, in: worker, isReplaceable, make)
        } catch {
            unload(load, in: worker)
            throw error
        }
    }

    private func use(
        _ load: LoadRequest, in worker: WorkerProcess, _ isReplaceable: () -> Bool
    ) throws(EngineFailure) -> UInt32 {
        if let loaded = state.update({ $0.workers.use(load, in: worker) }) { return loaded }
        // Wait for pending unloads first, so that a worker never has more models loaded than necessary.
        _ = state.wait { $0.workers.isUnloading(worker) ? nil : true }
        let number = nextNumber()
        try ask(.load(model: number, load), of: worker, isReplaceable)
        state.update { $0.workers.add(load, as: number, in: worker) }
        return number
    }

    private func open<Lane: Sendable>(
        _ model: UInt32, _ load: LoadRequest, in worker: WorkerProcess, _ isReplaceable: () -> Bool,
        _ make: (LaneOpening) throws(EngineFailure) -> Lane
    ) throws(EngineFailure) -> Lane {
        let number = nextNumber()
        let (ours, theirs): (Descriptor, Descriptor)
        do {
            (ours, theirs) = try Descriptor.socketPair()
        } catch {
            throw worker.failure(.notStarted(.lane(error)))
        }
        try ask(.open(lane: number, model: model), passing: theirs, of: worker, isReplaceable)
        let lane = try make(
            LaneOpening(worker: worker, number: number, socket: FrameSocket(ours), limits: limits) {
                [weak self, weak worker] in
                guard let self, let worker else { return }
                state.update { $0.workers.remove(lane: number, in: worker) }
                unload(load, in: worker)
            })
        state.update { $0.workers.add(lane: number, in: worker) }
        return lane
    }

    /// Removes a user of a model. When the last user is removed, the model is unloaded on a separate thread, because closing a lane must
    /// not block.
    private func unload(_ load: LoadRequest, in worker: WorkerProcess) {
        guard let model = state.update({ $0.workers.unload(load, in: worker) }) else { return }
        // The timeout is short because other callers wait for the unload. Giving up on a slower worker costs little,
        // because the worker ends when its lanes are closed.
        let isUnloading = startThread("unload") { [weak self, limit = min(limits.load, limits.awaited)] in
            worker.unload(model: model, limit: limit)
            self?.state.update { $0.workers.hasLeft(worker) }
        }
        if isUnloading { return }
        // The memory is freed when the worker ends.
        worker.takeNoMoreRequests()
        state.update { $0.workers.hasLeft(worker) }
    }

    private func ask(
        _ request: ControlRequest, passing lane: Descriptor? = nil, of worker: WorkerProcess,
        _ isReplaceable: () -> Bool
    ) throws(EngineFailure) {
        var clock = RunningClock()
        var idle = IdleWatch(limits, now: clock.now())
        let reply = try worker.ask(request, passing: lane, limit: limits.load, .loading) { limit in
            idle.isHung(worker, now: clock.now(), extending: &limit, isReplaceable: isReplaceable)
        }
        switch reply {
        case .done: return
        case .failed(let error): throw worker.failure(.reported(error))
        case .refused(let refusal): throw worker.failure(.refused(refusal))
        case .description, .log: throw worker.failure(.violatedProtocol(.loading))
        }
    }

    private func nextNumber() -> UInt32 {
        state.update { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }
}

private struct PoolState {
    var workers = WorkerTable()
    var nextNumber: UInt32 = 1
    var isAbandoned = false
}
