package import SynthEngineWire
import SynthSystem

/// The worker processes of an engine, with the models that are loaded in them. It starts a worker when one is needed,
/// another one when the first has as many lanes as the engine allows, and a new one after a crash. The workers end with
/// this object and its lanes. It does not interpret the engine's requests. Any thread may use it.
///
/// A model stays loaded while a lane is open on it.
package final class WorkerPool: Sendable {
    /// The parts of a lane of a worker.
    package struct Opening {
        package let worker: WorkerProcess
        package let number: UInt32
        package let socket: FrameSocket
        /// Must be called when the lane is closed, on any thread.
        package let onClose: @Sendable () -> Void
    }

    package let file: String
    private let kind: PluginKind
    /// The engine's id.
    private let engine: String
    private let request: WorkerRequest
    /// The maximum number of lanes per worker.
    private let mostLanes: Int
    private let program: WorkerProgram
    private let limits: EngineLimits
    private let onLog: EngineLog

    private struct State {
        var workers = WorkerTable()
        var nextNumber: UInt32 = 1
        var isAbandoned = false
    }
    private let state = Monitor(State())
    /// Loading takes seconds. A second caller waits for it, because it may need the same model.
    private let opening = Lock()

    /// - Parameter lanes: the maximum number per worker; 0 for any number.
    package init(
        of engine: String, file: String, as kind: PluginKind = .engine, asking request: WorkerRequest, lanes: UInt32,
        program: WorkerProgram,
        limits: EngineLimits, onLog: @escaping EngineLog
    ) {
        self.file = file
        self.kind = kind
        self.engine = engine
        self.request = request
        mostLanes = lanes == 0 ? .max : Int(lanes)
        self.program = program
        self.limits = limits
        self.onLog = onLog
    }

    // A worker without lanes may still be unloading a model, which is no longer needed.
    deinit { for worker in state.read({ $0.workers.idle }) { worker.kill(.abandoned) } }

    /// Opens a lane on a model, and loads the model if needed. Blocks until then.
    ///
    /// - Parameters:
    ///   - files: the files that requests on the lane pass to the engine, in addition to those that every worker may
    ///     read.
    ///   - isReplaceable: whether a listener is waiting and another engine could take over. If so, the timeout for an
    ///     idle engine is shorter.
    ///   - make: creates the lane.
    package func openLane<Lane: Sendable>(
        on load: LoadRequest, handing files: [HandedFile] = [], whileReplaceable isReplaceable: () -> Bool,
        _ make: (Opening) throws(EngineFailure) -> Lane
    ) throws(EngineFailure) -> Lane {
        try opening.withLock { () throws(EngineFailure) in
            let files = program.files(for: load, files)
            while true {
                let (worker, isNew) = try freeWorker(for: load, files)
                do throws(EngineFailure) {
                    return try lane(on: load, in: worker, isReplaceable, make)
                } catch {
                    // A worker that was used before may have crashed unnoticed, so a new one is tried.
                    if !isNew, !worker.takesRequests { continue }
                    throw error
                }
            }
        }
    }

    /// Ends the workers at once. Running and later calls of `openLane` and of the lanes throw. Never blocks.
    package func abandon() {
        let workers = state.update { state in
            state.isAbandoned = true
            return state.workers.processes
        }
        for worker in workers { worker.kill(.abandoned) }
    }

    /// The current resource use. Reads /proc.
    package var figures: EngineFigures {
        let (processes, models) = state.read { ($0.workers.processes, $0.workers.models) }
        return EngineFigures(
            id: engine, plugin: file,
            processes: processes.filter(\.isSound).map { process in
                .init(identifier: process.identifier, memory: ChildMemory.resident(of: process.identifier))
            }, models: models)
    }

    private func freeWorker(
        for load: LoadRequest, _ files: FileRules
    ) throws(EngineFailure) -> (WorkerProcess, isNew: Bool) {
        let free = state.update { state in
            state.workers.tidy()
            return state.workers.free(for: load, files, lanes: mostLanes)
        }
        if let free { return (free, false) }
        let worker = try WorkerProcess(
            program: program, engineFile: file, as: kind, engine: engine, asking: request, files: files, onLog: onLog)
        let isAbandoned = state.update { state in
            state.workers.add(worker)
            return state.isAbandoned
        }
        if isAbandoned { worker.kill(.abandoned) }
        return (worker, true)
    }

    private func lane<Lane: Sendable>(
        on load: LoadRequest, in worker: WorkerProcess, _ isReplaceable: () -> Bool,
        _ make: (Opening) throws(EngineFailure) -> Lane
    ) throws(EngineFailure) -> Lane {
        let model = try use(load, in: worker, isReplaceable)
        do {
            return try open(model, load, in: worker, isReplaceable, make)
        } catch {
            letGo(load, in: worker)
            throw error
        }
    }

    private func use(
        _ load: LoadRequest, in worker: WorkerProcess, _ isReplaceable: () -> Bool
    ) throws(EngineFailure) -> UInt32 {
        if let loaded = state.update({ $0.workers.use(load, in: worker) }) { return loaded }
        // Pending unloads come first, so that a worker never has more models than necessary.
        _ = state.wait { $0.workers.isUnloading(worker) ? nil : true }
        let number = nextNumber()
        try ask(.load(model: number, load), of: worker, isReplaceable)
        state.update { $0.workers.add(load, as: number, in: worker) }
        return number
    }

    private func open<Lane: Sendable>(
        _ model: UInt32, _ load: LoadRequest, in worker: WorkerProcess, _ isReplaceable: () -> Bool,
        _ make: (Opening) throws(EngineFailure) -> Lane
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
            Opening(worker: worker, number: number, socket: FrameSocket(ours)) { [weak self, weak worker] in
                guard let self, let worker else { return }
                state.update { $0.workers.remove(lane: number, in: worker) }
                letGo(load, in: worker)
            })
        state.update { $0.workers.add(lane: number, in: worker) }
        return lane
    }

    /// Removes a user of a model. The last one unloads the model on a separate thread, because closing a lane must not
    /// wait.
    private func letGo(_ load: LoadRequest, in worker: WorkerProcess) {
        guard let model = state.update({ $0.workers.letGo(load, in: worker) }) else { return }
        // Short, because others wait for it, and a slower worker costs little: it ends with its lanes.
        let isUnloading = startThread("unload") { [weak self, limit = min(limits.load, limits.awaited)] in
            worker.unload(model: model, limit: limit)
            self?.state.update { $0.workers.hasLeft(worker) }
        }
        if isUnloading { return }
        // Its memory is freed when the worker ends.
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
