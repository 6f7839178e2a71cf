package import EngineWire
import System

/// An engine that speaks: it starts a worker when it is needed, starts another where the engine allows no more lanes in
/// one, and starts anew after a crash. Its workers end with it. Any thread may use it.
package final class Engine: Sendable {
    package let file: String
    package let description: EngineDescription
    private let program: WorkerProgram
    private let limits: EngineLimits
    private let onLog: EngineLog

    /// A worker with what it holds.
    private struct Seat {
        let worker: WorkerProcess
        var models: [LoadRequest: UInt32] = [:]
        var lanes: Set<UInt32> = []
    }
    private struct State {
        var seats: [Seat] = []
        var nextNumber: UInt32 = 1
        var isAbandoned = false
    }
    private let state = Monitor(State())
    /// Loading takes seconds; who opens a lane meanwhile waits for it, and may find the model there.
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

    /// A lane on a model, which is loaded where it is not. Blocks for as long as that takes.
    package func openLane(on load: LoadRequest) throws(EngineFailure) -> EngineLane {
        try opening.withLock { () throws(EngineFailure) in
            while true {
                let (worker, isNew) = try freeWorker()
                do throws(WorkerFailure) {
                    let model = try self.model(load, in: worker)
                    return try lane(on: model, in: worker)
                } catch {
                    // One that served before may have died of that, unseen.
                    if !isNew, !worker.isSound { continue }
                    throw EngineFailure(engine: description.id, reason: error.reason, log: worker.log)
                }
            }
        }
    }

    /// Ends the workers at once, for a caller who no longer wants what another thread waits for: `openLane` and `speak`
    /// throw then, now and later. Waits for nothing.
    package func abandon() {
        let workers = state.update { state in
            state.isAbandoned = true
            return state.seats.map(\.worker)
        }
        for worker in workers { worker.kill(.abandoned) }
    }

    private func freeWorker() throws(EngineFailure) -> (WorkerProcess, isNew: Bool) {
        let most = description.maxLanes == 0 ? Int.max : Int(description.maxLanes)
        let free = state.update { state -> WorkerProcess? in
            state.seats.removeAll { !$0.worker.isSound }
            return state.seats.first { $0.lanes.count < most }?.worker
        }
        if let free { return (free, false) }
        let worker = try WorkerProcess(program: program, engineFile: file, onLog: onLog)
        let isAbandoned = state.update { state in
            state.seats.append(Seat(worker: worker))
            return state.isAbandoned
        }
        if isAbandoned { worker.kill(.abandoned) }
        return (worker, true)
    }

    private func model(_ load: LoadRequest, in worker: WorkerProcess) throws(WorkerFailure) -> UInt32 {
        let known = state.read { state in state.seats.first { $0.worker === worker }?.models[load] }
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

    private func change(_ worker: WorkerProcess, _ body: (inout Seat) -> Void) {
        state.update { state in
            if let index = state.seats.firstIndex(where: { $0.worker === worker }) { body(&state.seats[index]) }
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
