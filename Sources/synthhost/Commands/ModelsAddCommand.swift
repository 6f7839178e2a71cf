import EngineWire
import Engines
import ModelStore
import SynthHost

/// `synthhost models add`: a voice of the user's own.
struct ModelsAddCommand {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let stock = try VoiceStock(context, arguments)
        let path = arguments.positionals.first ?? ""
        var files = OwnFiles(path)
        guard files.exist else {
            throw CommandFailure(.inputMissing, "\(path) is not there.", "Name a file, a folder or an archive.")
        }
        var unpacked: String?
        defer { if let unpacked { stock.store.removeUnpacked(unpacked) } }
        if files.isArchive {
            do throws(StoreError) {
                let folder = try stock.store.unpackOwn(path)
                unpacked = folder
                files = OwnFiles(unpackedIn: folder, of: path)
            } catch {
                throw CommandFailure(error)
            }
        }
        let source = files.path
        let (engine, roles) = try engine(for: files, among: stock.directory.engines)
        let guess = files.guess()
        guard let language = arguments[Options.addedLanguage] ?? guess.language else {
            throw CommandFailure(
                .usage, "The language of \(path) cannot be told from its files.",
                "Say it, for example: --language en-GB")
        }
        let voice = AddedVoice(
            id: try id(files, stock), engine: engine,
            name: arguments[Options.addedName] ?? guess.name,
            language: language, speakers: guess.speakers, roles: roles)
        let store = stock.store
        let result = AsyncWork.run(Cancellation()) { () -> Result<InstalledVoice, StoreError> in
            do throws(StoreError) {
                return .success(try await store.add(source, as: voice))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .failure(let error): throw CommandFailure(error)
        case .success(let added):
            try tryOut(added, stock, path)
            let word = ShellWord.quoted(try VoiceStock(context, arguments).word(for: added.voice))
            guard !arguments[Options.quiet] else { return }
            context.say("\(added.voice.title) is ready. To hear it, type: synthhost speak -v \(word) \"Hello\"")
        }
    }

    /// A voice with which its engine cannot speak is not kept: better now than when it is needed.
    private func tryOut(_ added: InstalledVoice, _ stock: VoiceStock, _ path: String) throws(CommandFailure) {
        guard
            let engine = stock.plugins.lazy.compactMap({ stock.host.engine($0) })
                .first(where: { $0.description.id == added.voice.engine }),
            let voice = try? stock.host.prepare(VoiceChoice(voice: added.voice), of: engine.description)
        else { return }
        do throws(EngineFailure) {
            let lane = try engine.openLane(on: voice.load)
            // Every language can say it.
            _ = try lane.speak(EngineRequest(.text("1"), voices: voice.uses)) { _ in true }
        } catch {
            guard case .complained(let complaint) = error.reason, complaint.kind != .badRequest else { return }
            _ = AsyncWork.run(Cancellation()) { try? await stock.store.remove(added.voice) }
            if let damage = DamagedVoice(error, voice) { throw damage.refusal(of: path) }
            throw complaint.kind == .failed
                ? CommandFailure(.unavailable, complaint.message) : CommandFailure(error)
        }
    }

    /// One that no registry uses, so that a later pull does not meet these files.
    private func id(_ files: OwnFiles, _ stock: VoiceStock) throws(CommandFailure) -> String {
        func isTaken(_ id: String) -> Bool {
            stock.registry.voices.contains { $0.id == id || $0.folder == id }
                || stock.registry.models.contains { $0.id == id }
        }
        guard let id = arguments[Options.addedID] else { return isTaken(files.id) ? files.id + "-own" : files.id }
        guard !isTaken(id) else {
            throw CommandFailure(.usage, "The id \(id) is another voice's already.", "Choose another one with --id.")
        }
        return id
    }

    /// The engine that the files fit, by the roles that it declares, and which file is which.
    private func engine(
        for files: OwnFiles, among engines: [EngineDescription]
    ) throws(CommandFailure) -> (id: String, roles: [String: String]) {
        var candidates = engines.filter { $0.roles.contains { !$0.isOptional } }
        if let wanted = arguments[Options.addedEngine] {
            do throws(VoiceError) {
                candidates = [try VoiceDirectory(engines: engines).engine(VoiceWish(engine: wanted))]
            } catch {
                throw CommandFailure(error)
            }
        }
        let all = candidates.compactMap { engine in files.roles(of: engine).map { (engine.id, $0) } }
        // One that finds a use for more of the files is meant rather than one that takes any file.
        let most = all.map(\.1.count).max() ?? 0
        let fitting = all.filter { $0.1.count == most }
        if let only = fitting.first, fitting.count == 1 { return only }
        let ids = (fitting.isEmpty ? candidates.map(\.id) : fitting.map(\.0)).joined(separator: ", ")
        if !fitting.isEmpty {
            throw CommandFailure(.usage, "Several engines could speak it: \(ids).", "Name one with --engine.")
        }
        guard let engine = candidates.first, candidates.count == 1 else {
            throw CommandFailure(
                .usage, ids.isEmpty ? "No engine here uses files." : "It fits none of the engines \(ids).",
                "Name the engine with --engine; `synthhost engines list` shows them.")
        }
        let needed = engine.roles.filter { !$0.isOptional }.map(\.name).joined(separator: ", ")
        throw CommandFailure(
            .inputMissing, "The engine \(engine.id) needs a file for each of: \(needed).",
            "Put them side by side, each called like its role (for example voice.\(engine.roles.first?.name ?? "")).")
    }
}
