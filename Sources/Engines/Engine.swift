package import EngineWire
import System

/// An engine with its worker processes. It starts a worker when one is needed, another one when the first has as many
/// lanes as the engine allows, and a new one after a crash. The workers end with this value. Any thread may use it.
package final class Engine: Sendable {
    package let file: String
    package let description: EngineDescription
    private let program: WorkerProgram
    private let limits: EngineLimits
    private let onLog: EngineLog

    /// A worker with its loaded models and open lanes.
    private struct PooledWorker {
        let process: WorkerProcess
        var models: [LoadRequest: UInt32] = [:]
        var lanes: Set<UInt32> = []
    }
    private struct State {
        var workers: [PooledWorker] = []
        var nextNumber: UInt32 = 1
        var isAbandoned = false
    }
    private let state = Monitor(State())
    /// Loading takes seconds. A second caller waits for it, because it may need the same model.
    private let opening = Lock()

    package init(
        file: String, description: EngineDescription, program: WorkerProgram, limits: EngineLimits = EngineLimits(),
        onLog: @escaping EngineLog = { _, _ in }
    ) {
        self.file = file
        self.description = description
        self.program = program
        self.limits = limits
        self.onLog = onLog
    }

    /// Opens a lane on a model, and loads the model if needed. Blocks meanwhile.
    package func openLane(on load: LoadRequest) throws(EngineFailure) -> EngineLane {
        try opening.withLock { () throws(EngineFailure) in
            while true {
                let (worker, isNew) = try freeWorker()
                do throws(WorkerFailure) {
                    let model = try self.model(load, in: worker)
                    return try lane(on: model, in: worker)
                } catch {
                    // A worker that was in use before may have crashed unnoticed, so a new one is tried.
                    if !isNew, !worker.isSound { continue }
                    throw EngineFailure(engine: description.id, reason: error.reason, log: worker.log)
                }
            }
        }
    }

    /// Ends the workers at once. Running and later calls of `openLane` and `speak` throw. Never blocks.
    package func abandon() {
        let workers = state.update { state in
            state.isAbandoned = true
            return state.workers.map(\.process)
        }
        for worker in workers { worker.kill(.abandoned) }
    }

    private func freeWorker() throws(EngineFailure) -> (WorkerProcess, isNew: Bool) {
        let most = description.maxLanes == 0 ? Int.max : Int(description.maxLanes)
        let free = state.update { state -> WorkerProcess? in
            state.workers.removeAll { !$0.process.isSound }
            return state.workers.first { $0.lanes.count < most }?.process
        }
        if let free { return (free, false) }
        let worker = try WorkerProcess(program: program, engineFile: file, onLog: onLog)
        let isAbandoned = state.update { state in
            state.workers.append(PooledWorker(process: worker))
            return state.isAbandoned
        }
        if isAbandoned { worker.kill(.abandoned) }
        return (worker, true)
    }

    private func model(_ load: LoadRequest, in worker: WorkerProcess) throws(WorkerFailure) -> UInt32 {
        let known = state.read { state in state.workers.first { $0.process === worker }?.models[load] }
        if let known { return known }
        let number = nextNumber()
        try worker.ask(.load(model: number, load), limit: limits.load, .loading).expectDone()
        change(worker) { $0.models[load] = number }
        return number
    }

    private func lane(on model: UInt32, in worker: WorkerProcess) throws(WorkerFailure) -> EngineLane {
        let number = nextNumber()
        let (ours, theirs): (Descriptor, Descriptor)
        do throws(Errno) {
            (ours, theirs) = try Descriptor.socketPair()
        } catch {
            throw WorkerFailure(.notStarted(.lane(error)))
        }
        try worker.ask(
            .open(lane: number, model: model), passing: theirs, limit: limits.load, .loading
        ).expectDone()
        let lane: EngineLane
        do throws(Errno) {
            lane = try EngineLane(
                engine: description.id, worker: worker, number: number, socket: FrameSocket(ours), limits: limits,
                onClose: { [weak self, weak worker] in
                    if let worker { self?.change(worker) { $0.lanes.remove(number) } }
                })
        } catch {
            throw WorkerFailure(.notStarted(.lane(error)))
        }
        change(worker) { $0.lanes.insert(number) }
        return lane
    }

    private func nextNumber() -> UInt32 {
        state.update { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    private func change(_ worker: WorkerProcess, _ body: (inout PooledWorker) -> Void) {
        state.update { state in
            if let index = state.workers.firstIndex(where: { $0.process === worker }) { body(&state.workers[index]) }
        }
    }
}

extension ControlReply {
    fileprivate func expectDone() throws(WorkerFailure) {
        switch self {
        case .done: return
        case .failed(let error): throw WorkerFailure(.reported(error))
        case .refused(let refusal): throw WorkerFailure(.refused(refusal))
        case .description, .log: throw WorkerFailure(.violatedProtocol(.loading))
        }
    }
}
