package import SynthEngineWire
import SynthSystem

/// An engine's workers, each with its open lanes and loaded models. A model's users are its open lanes and the lanes that are being opened
/// for it.
struct WorkerTable {
    private struct Model {
        let number: UInt32
        var users = 1
    }
    private struct Slot {
        let process: WorkerProcess
        var models: [LoadRequest: Model] = [:]
        var lanes: Set<UInt32> = []
        var leaving = 0

        /// Whether the worker can be removed: it has ended, or it accepts no more requests and has no lanes.
        var isOver: Bool { !process.isSound || lanes.isEmpty && !process.takesRequests }
    }
    private var slots: [Slot] = []

    init() {}

    var processes: [WorkerProcess] { slots.map(\.process) }

    /// The loaded models, with the number of their users in all workers.
    var models: [LoadRequest: Int] {
        var users: [LoadRequest: Int] = [:]
        for slot in slots where slot.process.isSound {
            users.merge(slot.models.mapValues(\.users), uniquingKeysWith: +)
        }
        return users
    }

    var idle: [WorkerProcess] { slots.filter(\.lanes.isEmpty).map(\.process) }

    /// Returns a worker that accepts requests, has fewer than the maximum number of open lanes, and may use the files. A worker that has
    /// already loaded the model is preferred.
    func free(for load: LoadRequest, _ files: FileRules, lanes most: Int) -> WorkerProcess? {
        let free = slots.filter { $0.process.takesRequests && $0.lanes.count < most && $0.process.mayUse(files) }
        return (free.first { $0.models[load] != nil } ?? free.first)?.process
    }

    mutating func add(_ process: WorkerProcess) { slots.append(Slot(process: process)) }

    /// Removes workers that are no longer usable. They end when they are no longer referenced elsewhere.
    mutating func removeEnded() { slots.removeAll(where: \.isOver) }

    /// Adds a user of a model and returns the model's number, or nil if the model is not loaded.
    mutating func use(_ load: LoadRequest, in worker: WorkerProcess) -> UInt32? {
        change(worker) { slot in
            slot.models[load]?.users += 1
            return slot.models[load]?.number
        }
    }

    /// Adds a loaded model with one user.
    mutating func add(_ load: LoadRequest, as number: UInt32, in worker: WorkerProcess) {
        change(worker) { $0.models[load] = Model(number: number) }
    }

    mutating func add(lane: UInt32, in worker: WorkerProcess) { change(worker) { _ = $0.lanes.insert(lane) } }

    mutating func remove(lane: UInt32, in worker: WorkerProcess) {
        change(worker) { _ = $0.lanes.remove(lane) }
    }

    /// Removes a user of a model. If it was the last user, returns the model's number. The caller must then unload the model and call
    /// `hasLeft`.
    mutating func unload(_ load: LoadRequest, in worker: WorkerProcess) -> UInt32? {
        change(worker) { slot in
            slot.models[load]?.users -= 1
            guard let model = slot.models[load], model.users == 0 else { return nil }
            slot.models[load] = nil
            slot.leaving += 1
            return model.number
        }
    }

    mutating func hasLeft(_ worker: WorkerProcess) {
        change(worker) { $0.leaving -= 1 }
        removeEnded()
    }

    func isUnloading(_ worker: WorkerProcess) -> Bool {
        slots.contains { $0.process === worker && $0.leaving > 0 }
    }

    @discardableResult
    private mutating func change<Result>(_ worker: WorkerProcess, _ body: (inout Slot) -> Result?) -> Result? {
        guard let index = slots.firstIndex(where: { $0.process === worker }) else { return nil }
        return body(&slots[index])
    }
}

/// The resource usage of an engine's processes, and the models loaded in them.
package struct EngineFigures: Equatable, Sendable {
    /// The resource usage of one process.
    package struct Process: Equatable, Sendable {
        /// The process ID.
        package var identifier: Int32
        /// The resident memory in bytes.
        package var memory: UInt64
    }

    package var id: String
    /// The path of the engine's file.
    package var plugin: String
    package var processes: [Process] = []
    /// The loaded models, each with the number of its lanes in all processes.
    package var models: [LoadRequest: Int] = [:]

    /// The total resident memory of all processes, in bytes.
    package var memory: UInt64 { processes.reduce(0) { $0 + $1.memory } }
}
