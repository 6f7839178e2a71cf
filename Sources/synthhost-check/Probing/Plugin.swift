import CSynthEngine
import Glibc
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// The common interface of loaded engines and recognizers. All required functions exist.
protocol Plugin {
    associatedtype Table: PluginTable

    var subject: Subject { get }
    var table: LoadedTable<Table> { get }
    init(table: LoadedTable<Table>, subject: Subject)
    func items() -> [PluginItem]
    /// Loads the model for the checks and opens a lane.
    func trial() throws -> any Trial
    /// Runs a request with a voice or model, some of whose files may be invalid.
    func tryOut(_ choice: PluginChoice, on lane: ProbedLane<Table>, _ error: borrowing ErrorProbe) -> synth_status
}

/// An engine's voice or a recognizer's model.
struct PluginItem {
    let id: String?
    let model: String?
    let sources: UnsafePointer<UnsafePointer<synth_source>?>?
    let sourceCount: Int
    let fields: [String?]

    init(_ voice: synth_voice) {
        id = known(voice.id)
        model = known(voice.model)
        (sources, sourceCount) = (voice.sources, voice.source_count)
        fields = [
            id, known(voice.name), known(voice.language), known(voice.accent), known(voice.license), model,
            "\(voice.gender) \(voice.speaker_count) \(voice.source_count)",
        ]
    }

    init(_ model: synth_recognizer_model) {
        id = known(model.id)
        self.model = id
        (sources, sourceCount) = (model.sources, model.source_count)
        fields = [
            id, known(model.name), known(model.license),
            "\(model.capabilities) \(model.language_count) \(model.source_count)",
        ]
    }
}

/// The voice or recognizer model for a check, with its files.
struct PluginChoice {
    var id: String
    var model: String
    var modelFiles: [HandedFile]
    var voiceFiles: [HandedFile]
}

/// The status of a call, and the error message copied from the call's buffer.
struct TableAnswer {
    let status: synth_status
    let words: String
    let role: String?

    init(_ status: synth_status, _ error: borrowing ErrorProbe) {
        self.status = status
        words = error.words(status)
        role = error.role
    }
}

// MARK: - Description

extension LoadedTable {
    var identity: EngineIdentity {
        EngineIdentity(
            id: known(fields.id) ?? "", name: known(fields.name) ?? "", version: known(fields.version) ?? "")
    }
}

extension Plugin {
    /// Gets the plugin's table. No model is loaded yet.
    init(_ subject: Subject, host: UnsafePointer<synth_host> = ProbeHost.pointer) throws {
        let library = try subject.library()
        subject.step("\(Table.kind.entry) ran")
        let table: LoadedTable<Table>
        do {
            table = try LoadedTable(answer: library.table(host: host))
        } catch {
            throw CheckFinding.skipped(error)
        }
        subject.reportIdentity(table.identity)
        self.init(table: table, subject: subject)
    }

    var fields: any PluginTable { table.fields }

    /// The number of lanes to use in parallel.
    var laneCount: Int { fields.max_lanes == 0 ? 4 : min(4, Int(fields.max_lanes)) }

    func roles() -> [synth_role] { list(fields.role, most: 256) { synth_role_known($0) } }
    func needs() -> [synth_need] { list(fields.need, most: 256) { synth_need_known($0) } }

    /// Returns the environment variables that the plugin requests. An element is nil if it is not valid text.
    func variables() -> [String?] { list(fields.variable, most: 256) { known($0) } }

    func list<Struct, Value>(
        _ function: ((UInt32) -> UnsafePointer<Struct>?)?, most: UInt32, _ known: (UnsafePointer<Struct>) -> Value
    ) -> [Value] {
        guard let function else { return [] }
        var found: [Value] = []
        for index in 0..<most {
            guard let pointer = function(index) else { break }
            found.append(known(pointer))
        }
        return found
    }

    func required(_ scope: synth_scope) -> [String] {
        roles().filter { $0.scope == scope.rawValue && $0.flags & SYNTH_ROLE_OPTIONAL.rawValue == 0 }
            .compactMap { known($0.name) }
    }

    /// Returns the voice or model for the checks: the one in the job; otherwise, the first one that needs no files;
    /// otherwise, the first one. If the file is both an engine and a recognizer, a voice selects the engine and a model
    /// selects the recognizer.
    func choice() throws -> PluginChoice {
        let noun = subject.job.kind == .engine ? "voice" : "model"
        let items = items()
        let hasRoles = !roles().isEmpty
        var chosen = items.first { $0.sourceCount == 0 } ?? items.first
        var wanted = subject.job.voice
        if let id = wanted, !items.contains(where: { $0.id == id }), subject.isWrongKind(id, than: self) {
            wanted = nil
        }
        if let wanted {
            chosen = items.first { $0.id == wanted }
            if chosen == nil, !hasRoles { throw CheckFinding.skipped("It has no \(noun) with the ID \(wanted).") }
        }
        if chosen == nil, !hasRoles {
            throw CheckFinding.skipped("It has no \(noun) and no role for \(noun) files.")
        }
        let id = chosen?.id ?? wanted ?? "validated"
        let isBuiltIn = chosen.map { $0.sourceCount == 0 } ?? false
        let choice = PluginChoice(
            id: id, model: chosen?.model ?? id, modelFiles: files(SYNTH_SCOPE_MODEL, subject.job.files),
            voiceFiles: files(SYNTH_SCOPE_VOICE, subject.job.files))
        let handed = Set(subject.job.files.map(\.role))
        let missing = (required(SYNTH_SCOPE_MODEL) + required(SYNTH_SCOPE_VOICE)).filter { !handed.contains($0) }
        if !missing.isEmpty, !isBuiltIn {
            let options = missing.map { "--file \($0)=PATH" }.joined(separator: " ")
            throw CheckFinding.skipped("Its \(noun) needs files; pass them: \(options)")
        }
        return choice
    }

    /// Whether the job contains a file with a role that the plugin declares.
    var hasFiles: Bool {
        let names = Set(roles().compactMap { known($0.name) })
        return subject.job.files.contains { names.contains($0.role) }
    }

    func files(_ scope: synth_scope, _ files: [HandedFile]) -> [HandedFile] {
        let names = Set(roles().filter { $0.scope == scope.rawValue }.compactMap { known($0.name) })
        return files.filter { names.contains($0.role) }
    }
}

// MARK: - Lifetimes

extension Plugin {
    func load(
        _ request: LoadRequest, _ error: borrowing ErrorProbe
    ) -> (status: synth_status, model: ProbedModel<Table>?) {
        subject.step("loading a model")
        let arena = CallArena()
        var pointer: OpaquePointer?
        let status = withExtendedLifetime(arena) { table.functions.load(arena.load(request), &pointer, error.pointer) }
        return (status, status == SYNTH_OK ? ProbedModel(table: table, pointer: pointer) : nil)
    }

    func loadRequest(_ choice: PluginChoice) -> LoadRequest {
        LoadRequest(id: choice.model, cacheDirectory: subject.userFolders.cache, files: choice.modelFiles)
    }

    func load(_ choice: PluginChoice) throws -> ProbedModel<Table> {
        let error = ErrorProbe()
        let (status, model) = load(loadRequest(choice), error)
        guard let model else { throw CheckFinding.failed("It cannot be loaded: \(error.words(status)).") }
        return model
    }
    /// Loads a model and opens a lane with structs that have additional fields.
    func openFromLongerStructs(
        _ choice: PluginChoice, extra: Int, _ error: borrowing ErrorProbe
    ) throws -> (model: ProbedModel<Table>, lane: ProbedLane<Table>) {
        subject.step("loading a model with structs that have additional fields")
        let arena = CallArena()
        guard let plain = arena.load(loadRequest(choice)) else { throw CheckFinding.skipped("Not enough memory.") }
        let load = LongerStruct.sized(plain.pointee, extra)
        load.pointee.files = LongerStruct.sized(load.pointee.files, load.pointee.file_count, extra)
        var model: OpaquePointer?
        var status = withExtendedLifetime(arena) { table.functions.load(load, &model, error.pointer) }
        guard status == SYNTH_OK else {
            throw CheckFinding.failed("load returned \(error.words(status)) for a synth_load with additional fields.")
        }
        var lane: OpaquePointer?
        status = table.functions.open(model, &lane, error.pointer)
        guard status == SYNTH_OK else {
            throw CheckFinding.failed("open returned \(error.words(status)) for a synth_error with additional fields.")
        }
        return (
            ProbedModel(table: table, pointer: model), ProbedLane(table: table, address: Int(bitPattern: lane))
        )
    }

    /// Loads the model with the chosen files and runs a request.
    func tryOut(_ choice: PluginChoice) throws -> TableAnswer {
        let model = try load(choice)
        let lane = try model.open()
        let error = ErrorProbe()
        let status = tryOut(choice, on: lane, error)
        lane.close()
        model.unload()
        return TableAnswer(status, error)
    }
}

/// A loaded model. Call `unload` when done.
struct ProbedModel<Table: PluginTable> {
    fileprivate let table: LoadedTable<Table>
    fileprivate let pointer: OpaquePointer?

    func open() throws -> ProbedLane<Table> {
        let error = ErrorProbe()
        var lane: OpaquePointer?
        let status = table.functions.open(pointer, &lane, error.pointer)
        guard status == SYNTH_OK else { throw CheckFinding.failed("It cannot open a lane: \(error.words(status)).") }
        return ProbedLane(table: table, address: Int(bitPattern: lane))
    }

    func unload() { table.functions.unload(pointer) }
}

/// A lane. While it is open, any thread may call `cancel`, but only one thread at a time may call other functions.
struct ProbedLane<Table: PluginTable>: Sendable {
    let table: LoadedTable<Table>
    fileprivate let address: Int

    var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

    var canCancel: Bool { table.functions.cancel != nil }

    func cancel(_ serial: UInt64) { table.functions.cancel?(pointer, serial) }

    func close() { table.functions.close(pointer) }
}

extension Subject {
    /// Returns the engine or recognizer to check. No model is loaded yet.
    func plugin() throws -> any Plugin {
        switch job.kind {
        case .engine: try LoadedEngine(self)
        case .recognizer: try LoadedListener(self)
        }
    }

    /// Loads a model and opens a lane.
    func trial() throws -> any Trial { try plugin().trial() }

    /// Loads a model, speaks a sentence or transcribes audio, and unloads the model.
    func work() throws {
        let trial = try trial()
        try trial.work()
        trial.close()
    }
}

/// The host interface that is passed to plugins. Log lines are dropped.
enum ProbeHost {
    /// A host that lives until exit, as the C header requires.
    static var pointer: UnsafePointer<synth_host> { make(extra: 0) }

    /// Creates a host interface whose struct is `extra` bytes longer, as in a later version of the header.
    static func make(extra: Int) -> UnsafePointer<synth_host> {
        var host = synth_host()
        host.struct_size = UInt32(MemoryLayout<synth_host>.size + extra)
        host.abi = UInt32(SYNTH_ABI)
        host.version = UnsafePointer(strdup(hostVersion))
        host.log = { _, _ in }
        return UnsafePointer(LongerStruct.copy(of: host, extra: extra))
    }
}
