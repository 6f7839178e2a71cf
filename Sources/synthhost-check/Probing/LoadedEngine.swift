import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire
import Glibc

/// An engine that is called through its table, which was checked to be complete.
struct LoadedEngine {
    let table: LoadedTable
    private let subject: Subject

    init(_ table: LoadedTable, _ subject: Subject) {
        self.table = table
        self.subject = subject
    }

    var identity: EngineIdentity {
        EngineIdentity(
            id: known(table.engine.id) ?? "", name: known(table.engine.name) ?? "",
            version: known(table.engine.version) ?? "")
    }

    func can(_ capability: synth_capability) -> Bool { table.engine.capabilities & capability.rawValue != 0 }

    /// How many lanes a check may use at once.
    var laneCount: Int { table.engine.max_lanes == 0 ? 4 : min(4, Int(table.engine.max_lanes)) }

    func roles() -> [synth_role] { list(table.engine.role, most: 256) { synth_role_known($0) } }
    func voices() -> [synth_voice] { list(table.engine.voice, most: 20_000) { synth_voice_known($0) } }
    func needs() -> [synth_need] { list(table.engine.need, most: 256) { synth_need_known($0) } }

    /// The names of variables that it asks for; nil for one that is no text.
    func variables() -> [String?] {
        guard let function = table.engine.variable else { return [] }
        var names: [String?] = []
        for index in 0..<256 as Range<UInt32> {
            guard let name = function(index) else { break }
            names.append(known(name))
        }
        return names
    }

    private func list<Struct>(
        _ function: ((UInt32) -> UnsafePointer<Struct>?)?, most: UInt32, _ known: (UnsafePointer<Struct>) -> Struct
    ) -> [Struct] {
        guard let function else { return [] }
        var found: [Struct] = []
        for index in 0..<most {
            guard let pointer = function(index) else { break }
            found.append(known(pointer))
        }
        return found
    }

    /// The required roles of a scope.
    func required(_ scope: synth_scope) -> [String] {
        roles().filter { $0.scope == scope.rawValue && $0.flags & SYNTH_ROLE_OPTIONAL.rawValue == 0 }
            .compactMap { known($0.name) }
    }

    /// The voice for the checks: the one that was named, else the first that needs no files, else the first.
    func choice() throws(CheckFinding) -> VoiceChoice {
        let voices = voices()
        let hasRoles = !roles().isEmpty
        var chosen = voices.first { $0.source_count == 0 } ?? voices.first
        if let wanted = subject.job.voice {
            chosen = voices.first { known($0.id) == wanted }
            if chosen == nil, !hasRoles { throw .skipped("It has no voice with the id \(wanted).") }
        }
        if chosen == nil, !hasRoles { throw .skipped("It has no voice, and no role for the files of one.") }
        let id = chosen.flatMap { known($0.id) } ?? subject.job.voice ?? "validated"
        let isBuiltIn = chosen.map { $0.source_count == 0 } ?? false
        let choice = VoiceChoice(
            id: id, model: chosen.flatMap { known($0.model) } ?? id,
            modelFiles: files(SYNTH_SCOPE_MODEL), voiceFiles: files(SYNTH_SCOPE_VOICE))
        let handed = Set(subject.job.files.map(\.role))
        let missing = (required(SYNTH_SCOPE_MODEL) + required(SYNTH_SCOPE_VOICE)).filter { !handed.contains($0) }
        if !missing.isEmpty, !isBuiltIn {
            let options = missing.map { "--file \($0)=PATH" }.joined(separator: " ")
            throw .skipped("Its voice needs files; hand them over: \(options)")
        }
        return choice
    }

    private func files(_ scope: synth_scope) -> [HandedFile] {
        let names = Set(roles().filter { $0.scope == scope.rawValue }.compactMap { known($0.name) })
        return subject.job.files.filter { names.contains($0.role) }
    }

    // MARK: - The lifetimes

    func load(_ request: LoadRequest, _ error: borrowing ErrorProbe) -> (status: synth_status, model: LoadedModel?) {
        subject.doing("it loaded a model")
        let arena = CallArena()
        var pointer: OpaquePointer?
        let status = withExtendedLifetime(arena) { table.functions.load(arena.load(request), &pointer, error.pointer) }
        return (status, status == SYNTH_OK ? LoadedModel(table, pointer) : nil)
    }

    /// The model of a voice.
    func load(_ choice: VoiceChoice) throws(CheckFinding) -> LoadedModel {
        let error = ErrorProbe()
        let request = LoadRequest(
            id: choice.model, cacheDirectory: subject.surroundings.cache, files: choice.modelFiles)
        let (status, model) = load(request, error)
        guard let model else { throw .failed("It does not load: \(error.words(status)).") }
        return model
    }
}

extension Subject {
    /// The engine with its table, ready to load.
    func engine(host: UnsafePointer<synth_host> = ProbeHost.pointer) throws(CheckFinding) -> LoadedEngine {
        let library = try library()
        doing("synth_engine_entry ran")
        do {
            let answer = library.table(abi: UInt32(SYNTH_ABI), host: host)
            let engine = LoadedEngine(try LoadedTable(answer: answer), self)
            introduce(engine.identity)
            return engine
        } catch {
            throw .skipped(error)
        }
    }
}

/// The host that an engine is given. Log lines are dropped.
enum ProbeHost {
    /// Lives until exit, as the header promises.
    static var pointer: UnsafePointer<synth_host> { make(extra: 0) }

    /// A host of a later version, whose struct has `extra` more bytes.
    static func make(extra: Int) -> UnsafePointer<synth_host> {
        var host = synth_host()
        host.struct_size = UInt32(MemoryLayout<synth_host>.size + extra)
        host.abi = UInt32(SYNTH_ABI)
        host.version = UnsafePointer(strdup(hostVersion))
        host.log = { _, _ in }
        return UnsafePointer(LongerStruct.copy(of: host, extra: extra))
    }
}

/// The voice that speaks in a check, with its files.
struct VoiceChoice {
    var id: String
    var model: String
    var modelFiles: [HandedFile]
    var voiceFiles: [HandedFile]
}

struct LoadedModel {
    private let table: LoadedTable
    private let pointer: OpaquePointer?

    init(_ table: LoadedTable, _ pointer: OpaquePointer?) {
        self.table = table
        self.pointer = pointer
    }

    func open() throws(CheckFinding) -> OpenLane {
        let error = ErrorProbe()
        var lane: OpaquePointer?
        let status = table.functions.open(pointer, &lane, error.pointer)
        guard status == SYNTH_OK else { throw .failed("It opens no lane: \(error.words(status)).") }
        return OpenLane(table, lane)
    }

    func unload() { table.functions.unload(pointer) }
}

/// One caller that speaks. `cancel` may be called from any thread while the lane is open, all else from one at a time.
struct OpenLane: Sendable {
    private let table: LoadedTable
    private let address: Int

    init(_ table: LoadedTable, _ pointer: OpaquePointer?) {
        self.table = table
        address = Int(bitPattern: pointer)
    }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

    var canCancel: Bool { table.functions.cancel != nil }

    /// Speaks into `sink`, and returns when the engine returns.
    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink, _ error: borrowing ErrorProbe) -> synth_status {
        let arena = CallArena()
        return withExtendedLifetime((arena, sink)) {
            var handed = sink.table
            return synthesize(arena.request(request), &handed, error)
        }
    }

    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink) -> synth_status {
        let error = ErrorProbe()
        return speak(request, to: sink, error)
    }

    /// The same with structs that the caller made.
    func synthesize(
        _ request: UnsafePointer<synth_request>?, _ sink: UnsafePointer<synth_sink>?, _ error: borrowing ErrorProbe
    ) -> synth_status {
        table.synthesize(pointer, request, sink, error.pointer)
    }

    func cancel(_ serial: UInt64) { table.functions.cancel?(pointer, serial) }

    func close() { table.functions.close(pointer) }
}
