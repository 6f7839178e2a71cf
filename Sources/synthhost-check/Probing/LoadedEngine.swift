import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire

/// An engine that is called through its table, which was checked to be complete.
struct LoadedEngine {
    let table: EngineTable
    private let subject: Subject

    init(_ table: EngineTable, _ subject: Subject) {
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

    func roles() -> [synth_role] { list(table.engine.role, most: 256) }
    func voices() -> [synth_voice] { list(table.engine.voice, most: 20_000) }

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

    private func list<Struct: BitwiseCopyable>(
        _ function: ((UInt32) -> UnsafePointer<Struct>?)?, most: UInt32
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
        let status = withExtendedLifetime(arena) { table.load(arena.load(request), &pointer, error.pointer) }
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
