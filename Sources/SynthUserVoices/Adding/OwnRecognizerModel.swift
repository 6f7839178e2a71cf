import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthListening
import SynthModelStore
import SynthSystem

/// Identifies which recognizer a user's model files belong to, and the role of each file.
struct OwnRecognizerModel {
    let words: AddedVoiceOptions
    let library: VoiceLibrary
    let addition: Addition

    /// The usual file name for a role in a recognizer's published models, without the part that differs between models.
    private struct UsualName {
        let name: String
        let role: String
        let stem: String
        let ending: String

        init(_ name: String, as role: String) {
            self.name = name
            self.role = role
            (stem, ending) = OwnRecognizerModel.parts(of: name)
        }

        /// Whether a name is a variant of this one: "encoder_model_fp16.onnx" is a variant of "encoder_model.onnx".
        func covers(_ name: String) -> Bool {
            let (stem, ending) = OwnRecognizerModel.parts(of: name)
            guard ending == self.ending, stem.hasPrefix(self.stem) else { return false }
            return stem.dropFirst(self.stem.count).first.map { "_-".contains($0) } ?? true
        }
    }

    /// Copies the files to a folder in which they can be tested. Blocks.
    ///
    /// - Returns: nil if the files match no recognizer and the user did not specify one.
    func take(_ paths: [String]) throws(SpeechError) -> RecognizerChoice? {
        let known = library.inventory.recognizers.compactMap { file in
            file.description.map { (file: file.path, recognizer: $0) }
        }
        let named = known.first { $0.recognizer.id == words.engine || $0.recognizer.name == words.engine }
        guard named != nil || words.engine == nil, known.contains(where: { !$0.recognizer.roles.isEmpty }) else {
            return nil
        }
        let files = try candidates(paths)
        // If the user named one file, the other files are its neighbors.
        let single = paths.count == 1 && paths == Array(files.prefix(1)) ? paths.first : nil
        var fitting: [(file: String, recognizer: RecognizerDescription, files: [AddedFile])] = []
        for (file, recognizer) in named.map({ [$0] }) ?? known where !recognizer.roles.isEmpty {
            var found = roles(of: recognizer, files, isNamed: named != nil)
            if let single {
                guard let own = roles(of: recognizer, [single], isNamed: named != nil).first else { continue }
                found.removeAll { $0.role == own.role }
                found.append(own)
            }
            let required = recognizer.roles.filter { !$0.isOptional }.map(\.name)
            let isWhole = !found.isEmpty && required.allSatisfy { role in found.contains { $0.role == role } }
            guard isWhole else { continue }
            fitting.append((file, recognizer, found))
        }
        guard let one = fitting.first else {
            guard let recognizer = named?.recognizer else { return nil }
            let roles = recognizer.roles.filter { !$0.isOptional || recognizer.roles.count == 1 }.map(\.name)
            guard !roles.isEmpty else { throw .withoutFiles(engine: recognizer.id) }
            throw needs(recognizer, roles, paths, files)
        }
        guard fitting.count == 1 else {
            throw .severalEngines(fitting.map(\.recognizer.id))
        }
        for role in one.recognizer.roles {
            let same = one.files.filter { $0.role == role.name }.map(\.path)
            if same.count > 1 { throw .severalFiles(role: role.name, same) }
        }
        let name = stem(paths) ?? "\(one.recognizer.id)-own"
        let model = RecognizerModelEntry(
            own: try id(words.id ?? OwnFiles.id(of: name)), for: one.recognizer.id,
            name: try OwnVoices.givenName(words) ?? OwnFiles.spoken(name), languages: words.language.map { [$0] } ?? [])
        let taken = try rethrowing(addition.take(one.files, as: model), as: addition.reported)
        return RecognizerChoice(
            recognizer: one.recognizer, file: one.file, model: taken.model,
            state: .ready(taken.files.map { HandedFile(role: $0.role, path: $0.path) }))
    }

    /// Creates the error for missing files. The error lists the file names used in the recognizer's published models.
    private func needs(
        _ recognizer: RecognizerDescription, _ roles: [String], _ paths: [String], _ files: [String]
    ) -> SpeechError {
        let found = Set(self.roles(of: recognizer, files, isNamed: true).map(\.role))
        let listed = library.registry.recognizerModelEntries.filter { $0.recognizer == recognizer.id }.flatMap(\.files)
        let folder = paths.first.map { isFolder($0) ? $0 : LinkTarget.folder(of: $0) } ?? "."
        let isPacked = paths.contains { OwnFiles($0).isArchive }
        return .needs(
            engine: recognizer.id, roles: roles,
            missing: roles.filter { !found.contains($0) }.map { role in
                (role, folder.child(listed.first { $0.role == role }?.name ?? "\(role).onnx"))
            }, others: [],
            next: isPacked ? nil : SpeechError.Remedy.Addition(paths: paths, engine: recognizer.id))
    }

    /// Returns the role of each file, omitting files without a role. Several files may have the same role.
    ///
    /// - Parameter isNamed: whether the user specified this recognizer. Only then are file names that consist of a role
    ///   accepted, because names such as "model.onnx" are too common.
    private func roles(of recognizer: RecognizerDescription, _ files: [String], isNamed: Bool) -> [AddedFile] {
        let listed = library.registry.recognizerModelEntries.filter { $0.recognizer == recognizer.id }.flatMap(\.files)
        let declared = recognizer.models.flatMap(\.sources)
        let usual =
            (listed.map { UsualName($0.name, as: $0.role) }
            + declared.map { UsualName(String($0.url.split(separator: "/").last ?? ""), as: $0.role) })
            // Try the longest stems first, because "encoder" is a prefix of "encoder_joint".
            .sorted { $0.stem.utf8.count > $1.stem.utf8.count }
        let named = files.map { path in (path: path, name: path.split(separator: "/").last.map(String.init) ?? path) }
        var found: [AddedFile] = []
        func add(_ role: (String) -> String?) {
            let filled = Set(found.map(\.role))
            found += named.compactMap { path, name in
                guard let role = role(name), !filled.contains(role), !found.contains(where: { $0.path == path }) else {
                    return nil
                }
                return AddedFile(role: role, path: path)
            }
        }
        // Match exact names first, because "tokenizer_config.json" is often next to "tokenizer.json".
        add { name in usual.first { $0.name == name }?.role }
        add { name in usual.first { $0.covers(name) }?.role }
        if isNamed {
            add { name in
                recognizer.roles.first { name.hasPrefix("\($0.name).") || name.hasSuffix(".\($0.name)") }?.name
            }
        }
        return found
    }

    private func candidates(_ paths: [String]) throws(SpeechError) -> [String] {
        var files: [String] = []
        for path in paths {
            if OwnFiles(path).isArchive {
                let folder = try rethrowing(addition.unpack(path), as: addition.reported)
                files += NamedFile.all(in: folder).map(\.path)
            } else {
                files += isFolder(path) ? NamedFile.all(in: path).map(\.path) : [path]
            }
        }
        if paths.count == 1, files == paths {
            let folder = LinkTarget.folder(of: paths[0])
            files += NamedFile.all(in: folder, depth: 0).map(\.path).filter {
                $0 != paths[0] && $0 != "\(folder)/\(paths[0])"
            }
        }
        return files
    }

    private static func parts(of name: String) -> (stem: String, ending: String) {
        let stem = name.prefix { $0 != "." }
        return (String(stem), name.lastIndex(of: ".").map { String(name[$0...]) } ?? "")
    }

    /// The model name derived from the named file or folder, or nil if the user named several files.
    private func stem(_ paths: [String]) -> String? {
        guard let path = paths.first, paths.count == 1 else { return nil }
        return OwnFiles(path, library.registry.hints).wholeStem
    }

    /// The requested or suggested ID, with a suffix if a registry already uses that ID. A suggested ID also gets a
    /// suffix if a model with that ID is installed, because the two models may differ.
    private func id(_ guess: String) throws(SpeechError) -> String {
        let registry = library.registry
        let isOfRegistry =
            registry.recognizerModelEntries.contains { $0.id == guess } || registry.models.contains { $0.id == guess }
            || registry.voices.contains { $0.id == guess || $0.folder == guess }
        let id = isOfRegistry ? guess + "-own" : guess
        guard words.id == nil else { return id }
        return ([id] + (2...99).lazy.map { "\(id)-\($0)" }).first { !addition.isHere($0) } ?? id
    }
}

/// Determines which languages a user's model supports. The host cannot interpret the model's files, but the recognizer
/// rejects requests in unsupported languages.
struct KnownLanguages {
    private let lane: any RecognitionLane

    /// The tag for "no linguistic content" (ISO 639-2). A recognizer that accepts it ignores the requested language.
    private static let none = "zxx"
    /// The total time limit for all requests. A recognizer that takes longer must be doing more than checking the
    /// language.
    private static let longest = Duration.seconds(10)

    init(_ lane: any RecognitionLane) { self.lane = lane }

    /// Returns the languages that the model supports, or none if its recognizer ignores the language. Blocks.
    ///
    /// - Parameter candidates: BCP 47 tags.
    func all(of candidates: [String]) -> [String] {
        guard !candidates.isEmpty, knows(Self.none) == false else { return [] }
        let deadline = ContinuousClock.now + Self.longest
        var known: [String] = []
        for language in candidates {
            guard .now < deadline, let isKnown = knows(language) else { return [] }
            if isKnown { known.append(language) }
        }
        return known
    }

    /// Whether the model supports the language; nil if the recognizer fails for any reason other than an unsupported
    /// language.
    private func knows(_ language: String) -> Bool? {
        do {
            // A request without audio is validated but not transcribed.
            return try lane.listen(RecognitionJob(language: language), to: MemoryAudio([])) { _ in true }
                ? true : nil
        } catch {
            if case .reported(let error) = error.reason, error.kind == .badRequest { return false }
            return nil
        }
    }
}
