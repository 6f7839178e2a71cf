import ModelStore
import Synthesis
import System
import VoiceCatalogue

/// What the user says of files of their own; nil = it is found out.
package struct OwnVoiceWords: Sendable {
    package var id: String?
    package var name: String?
    /// BCP-47.
    package var language: String?
    package var engine: String?

    package init() {}

    /// Whether they say what the voice is.
    package var describe: Bool { id != nil || name != nil || language != nil || engine != nil }
}

/// Finds out which voices the user's files make: their engine, names, ids and languages.
struct OwnVoices {
    private let words: OwnVoiceWords
    private let library: VoiceLibrary
    private let addition: Addition

    init(_ words: OwnVoiceWords, _ library: VoiceLibrary, _ addition: Addition) {
        self.words = words
        self.library = library
        self.addition = addition
    }

    private var hints: [String: EngineHints] { library.registry.hints }

    /// Copies the files to a folder in which they can be tried. Blocks.
    func take(_ paths: [String]) throws(LibraryProblem) -> [InstalledVoice] {
        if paths.count == 1, let path = paths.first { return [try take(path)] }
        // A model and its description are one voice. Shells expand a pattern to both.
        if paths.count == 2, let short = paths.min(by: { $0.utf8.count < $1.utf8.count }),
            paths.contains(short + ".json")
        {
            return [try take(short)]
        }
        return try takeBundle(paths)
    }

    private func take(_ path: String) throws(LibraryProblem) -> InstalledVoice {
        var files = OwnFiles(path, hints)
        if files.isArchive {
            files = OwnFiles(
                unpackedIn: try attempt { () throws(StoreError) in try addition.unpack(path) }, of: path, hints)
        }
        let (engine, roles) = try engine(for: files)
        let guess = files.guess(for: engine)
        guard let language = words.language ?? guess.language else { throw .ownFiles(.unknownLanguage(path: path)) }
        let voice = AddedVoice(
            id: id(files.id), engine: engine, name: try saidName ?? guess.name, language: language,
            speakers: guess.speakers, roles: roles)
        return try attempt { () throws(StoreError) in try addition.take(files.path, as: voice) }
    }

    // MARK: - Several voices of one model

    private func takeBundle(_ paths: [String]) throws(LibraryProblem) -> [InstalledVoice] {
        var unpacked: [String] = []
        for path in paths {
            guard Self.isPacked(path) else {
                unpacked.append(path)
                continue
            }
            let folder = try attempt { () throws(StoreError) in try addition.unpack(path) }
            unpacked += OwnFiles.names(in: folder).map { "\(folder)/\($0)" }
        }
        let engines = try candidates()
        let bundles = engines.compactMap { OwnBundle(unpacked, $0, hints) }
        guard let bundle = bundles.first else {
            throw .ownFiles(.noBundle(count: paths.count))
        }
        guard bundles.count == 1 else { throw .ownFiles(.severalEngines(bundles.map(\.engine))) }
        guard bundle.voices.count == 1 || words.name == nil && words.id == nil
        else {
            throw .ownFiles(.namesForSeveral(count: bundle.voices.count))
        }
        var voices: [(voice: AddedVoice, files: [AddedFile])] = []
        for (name, file) in bundle.voices {
            let known = library.registry.voices.first { $0.engine == bundle.engine && $0.id == name }
            // A name of two or three letters, such as Amy, is not taken for a language.
            let parts = name.split(separator: "-")
            let code = parts.count > 1 ? parts.first.flatMap { LanguageCode(String($0))?.tag } : nil
            guard let language = words.language ?? known?.language ?? code else {
                throw .ownFiles(.unknownLanguage(path: file.path))
            }
            let id = id(OwnFiles.id(of: name))
            guard voices.allSatisfy({ $0.voice.id != id }) else {
                throw .ownFiles(.sameName(name))
            }
            let called = try saidName ?? known?.name ?? OwnFiles.spoken(name)
            voices.append((AddedVoice(id: id, engine: bundle.engine, name: called, language: language), [file]))
        }
        return try attempt { () throws(StoreError) in try addition.take(model: bundle.model, voices) }
    }

    /// Whether the file is a ZIP archive, as NumPy's archives of arrays are; each file in it is a voice.
    private static func isPacked(_ path: String) -> Bool {
        guard let (file, _) = try? Descriptor.openRegular(path) else { return false }
        var start = [UInt8](repeating: 0, count: 4)
        let count = start.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return count == 4 && start == [0x50, 0x4B, 3, 4]
    }

    // MARK: - Names, ids and languages

    private var saidName: String? {
        get throws(LibraryProblem) { try Self.saidName(words) }
    }

    /// The name that the user gives, fit for a list.
    static func saidName(_ words: OwnVoiceWords) throws(LibraryProblem) -> String? {
        guard let said = words.name else { return nil }
        let name = OwnFiles.readable(said)
        guard !name.isEmpty else { throw .ownFiles(.noName) }
        return name
    }

    /// The wanted id, or one made of it that no registry uses, so that a later pull does not conflict with these files.
    private func id(_ guess: String) -> String {
        func isTaken(_ id: String) -> Bool {
            library.registry.voices.contains { $0.id == id || $0.folder == id }
                || library.registry.models.contains { $0.id == id }
        }
        let id = words.id ?? guess
        return isTaken(id) ? id + "-own" : id
    }

    // MARK: - Engines

    /// The engines that need files, or the requested one.
    private func candidates() throws(LibraryProblem) -> [SpeechEngine] {
        let engines = library.inventory.listings.compactMap(\.engine)
        guard let wanted = words.engine else {
            return engines.filter { $0.roles.contains { !$0.isOptional } }
        }
        let id: String
        do {
            id = try library.directory.engine(VoiceQuery(engine: wanted)).id
        } catch {
            throw .speech(.voice(error))
        }
        guard let engine = engines.first(where: { $0.id == id }) else { return [] }
        guard engine.roles.contains(where: { !$0.isOptional }) else {
            throw .ownFiles(.withoutFiles(engine: engine.id))
        }
        return [engine]
    }

    /// The engine whose roles fit the files, and the role of each file.
    private func engine(for files: OwnFiles) throws(LibraryProblem) -> (id: String, roles: [String: String]) {
        let candidates = try candidates()
        func users(byNameOnly: Bool) -> [(id: String, roles: [String: String])] {
            candidates.compactMap { engine in
                files.roles(of: engine, byNameOnly: byNameOnly).map { (engine.id, $0) }
            }
        }
        var all = users(byNameOnly: true)
        if all.isEmpty { all = users(byNameOnly: false) }
        // The engine that uses the most files is meant.
        let most = all.map(\.roles.count).max() ?? 0
        let fitting = all.filter { $0.roles.count == most }
        if let only = fitting.first, fitting.count == 1 { return only }
        if !fitting.isEmpty { throw .ownFiles(.severalEngines(fitting.map(\.id))) }
        if let problem = missing(files, candidates) { throw .ownFiles(problem) }
        guard let engine = candidates.first, candidates.count == 1 else {
            throw .ownFiles(.fitsNone(engines: candidates.map(\.id)))
        }
        throw .ownFiles(
            .needs(
                engine: engine.id, roles: engine.roles.filter { !$0.isOptional }.map(\.name),
                first: engine.roles.first?.name ?? ""))
    }

    /// What is missing beside a file that one of the engines could speak; nil if that is not known.
    private func missing(_ files: OwnFiles, _ candidates: [SpeechEngine]) -> OwnFilesProblem? {
        let signed = candidates.filter { files.hasSign(of: $0) }
        let lacks = (signed.isEmpty ? candidates : signed).compactMap { engine in
            files.missing(for: engine).map { (engine: engine.id, role: $0.role, name: $0.name) }
        }
        guard let lack = lacks.first(where: { $0.name != nil }) ?? lacks.first else { return nil }
        if let name = lack.name { return .missing(name: name, beside: files.path, engine: lack.engine) }
        guard lack.role.isOfVoice else { return nil }
        return .noVoice(
            model: files.path, engine: lack.engine, role: lack.role.name, example: example(lack.role.name, lack.engine))
    }

    /// The file of a voice of the registry, as an example of how such files are called.
    private func example(_ role: String, _ engine: String) -> String {
        let known = library.registry.starters + library.registry.voices
        let files = known.lazy.filter { $0.engine == engine }.flatMap(\.files)
        return files.first { $0.role == role }.map { ShellWord.quoted($0.name) } ?? "FILE"
    }

    private func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(LibraryProblem) -> Value {
        do { return try body() } catch { throw .store(error) }
    }
}

/// The user's files for several voices of one model: the model's, and one for each voice.
struct OwnBundle {
    let engine: String
    let model: [AddedFile]
    let voices: [(name: String, file: AddedFile)]

    /// nil if the engine has no such voices, or the files do not fit.
    ///
    /// - Parameter hints: the usual names of files, by the id of the engine.
    init?(_ paths: [String], _ engine: SpeechEngine, _ hints: [String: EngineHints]) {
        let required = engine.roles.filter { !$0.isOptional }
        guard let own = required.first(where: \.isOfVoice), required.filter(\.isOfVoice).count == 1 else { return nil }
        var model: [AddedFile] = []
        var voices: [(name: String, file: AddedFile)] = []
        for path in paths {
            let role = engine.roles.first { role in
                !role.isOfVoice && hints.endings(of: role.name, engine.id).contains { path.hasSuffix($0) }
            }
            if let role {
                model.append(AddedFile(role: role.name, path: path))
            } else {
                if hints.isCustomary(path) { return nil }
                voices.append((OwnFiles.plainName(of: path), AddedFile(role: own.name, path: path)))
            }
        }
        let roles = model.map(\.role)
        let needed = required.filter { !$0.isOfVoice }.map(\.name)
        guard !needed.isEmpty, needed.allSatisfy(roles.contains), Set(roles).count == roles.count, !voices.isEmpty
        else {
            return nil
        }
        self.engine = engine.id
        self.model = model
        self.voices = voices
    }
}
