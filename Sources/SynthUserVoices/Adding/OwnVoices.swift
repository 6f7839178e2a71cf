import SynthCatalogue
import SynthEngineWire
import SynthModelStore
import SynthSpeech
import SynthSystem

/// The user's options for added files. The host chooses values for properties that are nil.
package struct AddedVoiceOptions: Sendable {
    package var id: String?
    package var name: String?
    /// The language (BCP 47).
    package var language: String?
    package var engine: String?

    package init() {}

    /// Whether the user set any option that describes the voice.
    package var describe: Bool { id != nil || name != nil || language != nil || engine != nil }
}

/// Identifies the voices in the user's files: their engine, names, IDs and languages.
struct OwnVoices {
    let words: AddedVoiceOptions
    let library: VoiceLibrary
    let addition: Addition

    var hints: [String: EngineHints] { library.registry.hints }

    /// Copies the files to a folder in which they can be tested. Blocks.
    func take(_ paths: [String]) throws(SpeechError) -> AdditionOutcome {
        if paths.count == 1, let path = paths.first { return try take(path) }
        // A model and its description file form one voice. A shell pattern may expand to both.
        if paths.count == 2, let short = paths.min(by: { $0.utf8.count < $1.utf8.count }),
            paths.contains(short + ".json")
        {
            return try take(short)
        }
        var files: [NamedFile] = []
        for path in paths { files += try given(path) }
        let bundles = try bundles(files)
        if let bundle = try whole(bundles) { return try take(bundle, paths) }
        if let problem = problem(bundles, paths) { throw problem }
        throw .noBundle(count: paths.count)
    }

    private func take(_ path: String) throws(SpeechError) -> AdditionOutcome {
        var files = OwnFiles(path, hints)
        if files.isArchive { files = OwnFiles(unpackedIn: try unpack(path), of: path, hints) }
        let candidates = try candidates()
        if files.isInFolder, let only = try onlyModel(in: files, of: candidates) { files = only }
        let bundles = try bundles(try given(path))
        let signed = words.engine == nil ? candidates.filter { files.isSigned(for: $0) } : candidates
        var named = signed.filter { files.roles(of: $0, byNameOnly: true) != nil }
        if bundles.contains(where: { !$0.models.isEmpty }), files.isInFolder {
            // The model's content identifies its engine, so neighboring files such as config.json cannot assign it to a
            // different one.
            let known = Set(bundles.filter { !$0.models.isEmpty }.map(\.engine))
            named.removeAll { !known.contains($0.id) && single(in: files.path, of: [$0]).isEmpty }
        }
        if let bundle = try whole(bundles) {
            let others = named.filter { $0.id != bundle.engine }
            if !others.isEmpty {
                let choices = bundle.choices + single(in: files.path, of: others).map { [$0] }
                throw .severalModels(path: path, choices: nextChoices(choices))
            }
            if named.isEmpty { return try take(bundle, [path]) }
        }
        if named.isEmpty, let problem = problem(bundles, [path]) { throw problem }
        let (engine, roles) = try engine(for: files, signed)
        let guess = files.guess(for: engine)
        let known = KnownName(files.id, of: engine, in: library.registry)
        guard let language = words.language ?? known?.language ?? guess.language else {
            throw .languageUnknown(path: path)
        }
        let voice = VoiceDocument(
            own: id(files.id), engine: engine, name: try givenName ?? known?.name ?? guess.name, language: language,
            accent: try givenName == nil ? known?.accent : nil, gender: known?.gender, grade: known?.grade,
            license: known?.license, speakers: guess.speakers)
        return AdditionOutcome([
            try rethrowing(addition.take(files.path, as: voice, roles: roles), as: addition.reported)
        ])
    }

    /// Finds the only file in a folder or its subfolders that forms a voice on its own, for example in a software
    /// package with many other files. Returns nil if there is no such file, or if the files directly in the folder
    /// already form a voice.
    private func onlyModel(in files: OwnFiles, of candidates: [SpeechEngine]) throws(SpeechError) -> OwnFiles? {
        let fitting = candidates.filter { files.isSigned(for: $0) && files.roles(of: $0, byNameOnly: true) != nil }
        guard fitting.isEmpty else { return nil }
        let found = NamedFile.all(in: files.path).map { OwnFiles($0.path, hints) }.filter { file in
            candidates.contains { file.hasSign(of: $0) && file.isWhole(for: $0) }
        }
        guard let first = found.first else { return nil }
        guard found.count == 1 else {
            let choices = found.map { [addition.shown($0.path)] }
            throw .severalModels(path: files.givenPath, choices: nextChoices(choices))
        }
        return first
    }

    /// Returns the files in a folder that form a voice for one of the engines, either alone or together with their
    /// neighbors.
    private func single(in folder: String, of engines: [SpeechEngine]) -> [String] {
        var stems: Set<String> = []
        return OwnFiles.names(in: folder).map { folder.child($0) }.filter { path in
            let files = OwnFiles(path, hints)
            return engines.contains { files.roles(of: $0, byNameOnly: true) != nil }
                && stems.insert(files.wholeStem).inserted
        }
    }

    private func unpack(_ path: String) throws(SpeechError) -> String {
        try rethrowing(addition.unpack(path), as: addition.reported)
    }

    // MARK: - Several voices with one model

    /// Returns the file itself or, for a folder or an archive, the files in it.
    private func given(_ path: String) throws(SpeechError) -> [NamedFile] {
        let files = OwnFiles(path, hints)
        if files.isArchive { return NamedFile.all(in: try unpack(path)) }
        return isFolder(path) ? NamedFile.all(in: files.path) : [NamedFile(path: path, isNamed: true)]
    }

    func bundles(_ files: [NamedFile]) throws(SpeechError) -> [OwnBundle] {
        try candidates().compactMap { engine in
            OwnBundle(files, engine, hints) { KnownName($0, of: engine.id, in: library.registry) != nil }
        }
    }

    private func whole(_ bundles: [OwnBundle]) throws(SpeechError) -> OwnBundle? {
        let whole = bundles.filter(\.isWhole)
        guard whole.count < 2 else { throw .severalEngines(whole.map(\.engine)) }
        return whole.first
    }

    private func take(_ bundle: OwnBundle, _ paths: [String]) throws(SpeechError) -> AdditionOutcome {
        var files: [(name: String, file: AddedFile)] = []
        for voice in bundle.chosenVoices {
            var members = [voice]
            if voice.isPacked { members = NamedFile.all(in: try unpack(voice.path)) }
            files += members.map {
                (OwnFiles.plainName(of: $0.path), AddedFile(role: bundle.voiceRole, path: $0.path))
            }
        }
        guard files.count == 1 || words.name == nil && words.id == nil else {
            throw .namesForSeveral(count: files.count)
        }
        var voices: [(voice: VoiceDocument, files: [AddedFile])] = []
        var taken = AdditionOutcome([])
        for (name, file) in files {
            let known = KnownName(name, of: bundle.engine, in: library.registry)
            if words.language == nil, let known, let reason = known.unsupported {
                taken.leaveOut(known.accent.map { "\(known.name) (\($0))" } ?? known.name, because: reason)
                continue
            }
            // A name of two or three letters, such as Amy, must not be mistaken for a language code.
            let parts = name.split(separator: "-")
            let code = parts.count > 1 ? parts.first.flatMap { LanguageCode(String($0))?.tag } : nil
            guard let language = words.language ?? known?.language ?? code else {
                throw .languageUnknown(path: addition.shown(file.path))
            }
            let id = id(OwnFiles.id(of: name))
            guard voices.allSatisfy({ $0.voice.id != id }) else { throw .sameName(name) }
            let said = try givenName
            let voice = VoiceDocument(
                own: id, engine: bundle.engine, name: said ?? known?.name ?? OwnFiles.spoken(name), language: language,
                accent: said == nil ? known?.accent : nil, gender: known?.gender, grade: known?.grade,
                license: known?.license)
            voices.append((voice, [file]))
        }
        if voices.isEmpty, let left = taken.leftOut.first {
            throw .unsupported(left, next: next(paths))
        }
        let model = bundle.model.map { AddedFile(role: $0.role, path: $0.file.path) }
        taken.voices = try rethrowing(addition.take(model: model, voices), as: addition.reported)
        return taken
    }

    // MARK: - Names, IDs and languages

    private var givenName: String? {
        get throws(SpeechError) { try Self.givenName(words) }
    }

    /// The name from the user's options, converted for use in lists.
    static func givenName(_ words: AddedVoiceOptions) throws(SpeechError) -> String? {
        guard let said = words.name else { return nil }
        let name = OwnFiles.readable(said)
        guard !name.isEmpty else { throw .noName }
        return name
    }

    /// The requested or suggested ID, changed if a registry already uses it, so that a later download does not conflict
    /// with these files.
    private func id(_ guess: String) -> String {
        func isTaken(_ id: String) -> Bool {
            library.registry.voices.contains { $0.id == id || $0.folder == id }
                || library.registry.models.contains { $0.id == id }
        }
        let id = words.id ?? guess
        return isTaken(id) ? id + "-own" : id
    }

    // MARK: - Engines

    /// The engines that use files, or only the requested engine.
    private func candidates() throws(SpeechError) -> [SpeechEngine] {
        let engines = library.inventory.listings.compactMap(\.engine)
        guard let wanted = words.engine else {
            return engines.filter { $0.roles.contains { !$0.isOptional } }
        }
        let id = try rethrowing(library.directory.engine(VoiceQuery(engine: wanted)).id, as: VoiceError.asSpeechError)
        guard let engine = engines.first(where: { $0.id == id }) else { return [] }
        guard engine.roles.contains(where: { !$0.isOptional }) else {
            throw .withoutFiles(engine: engine.id)
        }
        return [engine]
    }

    /// The engine whose roles match the files, along with the file name suffix for each role.
    private func engine(
        for files: OwnFiles, _ candidates: [SpeechEngine]
    ) throws(SpeechError) -> (id: String, roles: [String: String]) {
        func users(byNameOnly: Bool) -> [(id: String, roles: [String: String])] {
            candidates.compactMap { engine in
                files.roles(of: engine, byNameOnly: byNameOnly).map { (engine.id, $0) }
            }
        }
        var all = users(byNameOnly: true)
        if all.isEmpty { all = users(byNameOnly: false) }
        // Choose the engine that uses the most files.
        let most = all.map(\.roles.count).max() ?? 0
        let fitting = all.filter { $0.roles.count == most }
        if let only = fitting.first, fitting.count == 1 { return only }
        if !fitting.isEmpty { throw .severalEngines(fitting.map(\.id)) }
        if let problem = missing(files, candidates) { throw problem }
        guard let engine = candidates.first, candidates.count == 1 else {
            throw .fitsNone(engines: candidates.map(\.id))
        }
        let (missing, others) = files.needs(of: engine)
        throw .needs(
            engine: engine.id, roles: engine.roles.filter { !$0.isOptional }.map(\.name),
            missing: missing.map { (role: $0.role, path: addition.shown($0.path)) },
            others: others.map { addition.shown($0) },
            next: files.path == files.givenPath ? next([files.givenPath]) : nil)
    }
}
