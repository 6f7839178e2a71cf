import CSynthEngine
import CSynthLinux
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// Makes the engine calls that the C header marks with `[worker]` or `[scan]`, one at a time.
final class EngineWork: @unchecked Sendable {
    private let plugin: LoadedPlugin
    private let lanes: Monitor<[UInt32: Lane]>
    /// Used only by the thread that calls `run`.
    private var models: [UInt32: WorkerModel] = [:]
    /// Prevents `load`, `open`, `close` and `unload` from overlapping. This lock is needed because lanes are closed on
    /// their own threads.
    private let workerRole = Lock()

    init(_ plugin: LoadedPlugin, lanes: Monitor<[UInt32: Lane]>) {
        self.plugin = plugin
        self.lanes = lanes
    }

    func run(_ request: ControlRequest, lane socket: FrameSocket?) {
        switch request {
        case .describe: describe()
        case .load(let model, let load): answer(self.load(load, as: model))
        case .open(let lane, let model): answer(open(lane, on: model, socket))
        case .unload(let model): answer(unload(model))
        case .cancel: break
        }
    }

    private func answer(_ error: EngineError?) {
        Control.reply(error.map(ControlReply.failed) ?? .done)
    }

    private func describe() {
        do {
            let bytes = try plugin.description()
            let part = 64 * 1024
            for start in stride(from: 0, to: bytes.count, by: part) {
                let end = min(start + part, bytes.count)
                Control.reply(.description(part: Array(bytes[start..<end]), isLast: end == bytes.count))
            }
        } catch {
            Control.reply(.refused(error))
        }
    }

    private func load(_ request: LoadRequest, as number: UInt32) -> EngineError? {
        let arena = CallArena()
        let error = ErrorBuffer()
        var model: OpaquePointer?
        let status = workerRole.withLock { plugin.functions.load(arena.load(request), &model, error.pointer) }
        guard status == SYNTH_OK else { return error.answer(to: status) }
        guard let model else {
            return EngineError(.violatedContract, "It reported success for load but returned no model.")
        }
        models[number] = WorkerModel(model)
        return nil
    }

    private func open(_ number: UInt32, on model: UInt32, _ socket: FrameSocket?) -> EngineError? {
        guard let socket, let model = models[model] else {
            return EngineError(.violatedContract, "The host requested a lane on a model that is not loaded.")
        }
        let error = ErrorBuffer()
        var opened: OpaquePointer?
        let status = workerRole.withLock { plugin.functions.open(model.pointer, &opened, error.pointer) }
        guard status == SYNTH_OK else { return error.answer(to: status) }
        guard let opened else {
            return EngineError(.violatedContract, "It reported success for open but returned no lane.")
        }
        guard let lane = Lane(plugin, pointer: opened, socket: socket) else {
            workerRole.withLock { plugin.functions.close(opened) }
            return EngineError(.noMemory, "No file descriptor is available for a lane.")
        }
        lanes.update { $0[number] = lane }
        model.laneOpens()
        let close: @Sendable () -> Void = { [lanes, workerRole] in
            lanes.update { $0[number] = nil }
            workerRole.withLock { lane.close() }
            model.laneHasClosed()
        }
        let isRunning = startThread("lane-\(number)") {
            lane.run()
            close()
        }
        if isRunning { return nil }
        close()
        return EngineError(.noMemory, "The system does not allow another thread for a lane.")
    }

    /// Unloads a model when all of its lanes are closed. Each lane is closed on its own thread, shortly after the host
    /// closes its end of the lane.
    private func unload(_ number: UInt32) -> EngineError? {
        guard let model = models.removeValue(forKey: number) else {
            return EngineError(.violatedContract, "The host asked to unload a model that is not loaded.")
        }
        model.waitUntilUnused()
        workerRole.withLock { plugin.functions.unload(model.pointer) }
        // Otherwise the C library would keep most of the memory that the engine freed.
        linux_trim_heap()
        return nil
    }
}

/// A loaded model and the number of its open lanes. Thread-safe.
final class WorkerModel: @unchecked Sendable {
    /// The pointer is only passed to the engine, which accepts it on any thread.
    let pointer: OpaquePointer
    private let lanes = Monitor(0)

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    func laneOpens() { lanes.update { $0 += 1 } }
    func laneHasClosed() { lanes.update { $0 -= 1 } }

    /// Blocks until no lane is open.
    func waitUntilUnused() { lanes.wait { $0 == 0 ? () : nil } }
}

enum LoadedPlugin: Sendable {
    case engine(LoadedTable<synth_engine>)
    case recognizer(LoadedTable<synth_recognizer>)

    init(_ file: TrustedFile, as kind: PluginKind) throws(Refusal) {
        let library = try EngineLibrary(file, as: kind)
        switch kind {
        case .engine: self = .engine(try LoadedTable(library, log: { Control.log($0, $1) }))
        case .recognizer: self = .recognizer(try LoadedTable(library, log: { Control.log($0, $1) }))
        }
    }

    var functions: PluginFunctions {
        switch self {
        case .engine(let table): table.functions
        case .recognizer(let table): table.functions
        }
    }

    func description() throws(Refusal) -> [UInt8] {
        switch self {
        case .engine(let table): try table.description().frameBytes
        case .recognizer(let table): try table.description().frameBytes
        }
    }

    /// Handles a frame that the host sent on a lane, and sends the replies on the lane's socket.
    func answer(_ frame: [UInt8], on lane: Lane) throws {
        switch self {
        case .engine(let table):
            try lane.socket.send(lane.speak(try LaneRequest(frameBytes: frame[...]), by: table).frameBytes)
        case .recognizer(let table):
            // Audio left over from an earlier request is dropped.
            guard case .begin(let request) = try RecognitionInput(frameBytes: frame[...]) else { return }
            try lane.socket.send(lane.recognize(request, by: table).frameBytes)
        }
    }
}
