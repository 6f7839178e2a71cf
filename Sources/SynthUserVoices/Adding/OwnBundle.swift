import SynthCatalogue
import SynthEngineWire
import SynthModelStore
import SynthSpeech
import SynthSystem

/// A file that the user named, or a file in a folder or archive that the user named.
struct NamedFile: Sendable {
    let path: String
    /// Whether the user named the file itself. A file in a named folder or archive may be unrelated, such as a README.
    let isNamed: Bool

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether this is a ZIP archive, such as a NumPy .npz archive of voices.
    var isPacked: Bool {
        guard let (file, _) = try? Descriptor.openRegular(path) else { return false }
        var start = [UInt8](repeating: 0, count: 4)
        let count = start.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return count == 4 && start == [0x50, 0x4B, 3, 4]
    }

    /// Returns the files in a folder and its subfolders, down to the given depth.
    static func all(in folder: String, depth: Int = 2) -> [NamedFile] {
        OwnFiles.names(in: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            guard isFolder(path) else { return [NamedFile(path: path, isNamed: false)] }
            return depth > 0 ? all(in: path, depth: depth - 1) : []
        }
    }
}

/// The models and voices among the user's files, for an engine whose voices share a model.
struct OwnBundle {
    let engine: String
    let voiceRole: String
    let modelRole: String
    /// The model files with their roles, in the order of the user's files. Several files may have the same role.
    private(set) var model: [(role: String, file: NamedFile)] = []
    private(set) var voices: [NamedFile] = []
    /// Whether the user named a file that is neither a model nor a voice.
    private(set) var hasUnknownFile = false
    private let needed: [String]

    /// Reads the model files to identify their engine. Blocks.
    ///
    /// - Parameters:
    ///   - hints: the usual file names of each engine, keyed by engine ID.
    ///   - isVoice: whether a file name without its extension is typical of this engine's voices.
    /// - Returns: nil if the engine has no voices that share a model.
    init?(
        _ files: [NamedFile], _ engine: SpeechEngine, _ hints: [String: EngineHints], isVoice: (String) -> Bool
    ) {
        let required = engine.roles.filter { !$0.isOptional }
        guard let own = required.first(where: \.isOfVoice), required.filter(\.isOfVoice).count == 1,
            let first = required.first(where: { !$0.isOfVoice })
        else { return nil }
        self.engine = engine.id
        (voiceRole, modelRole) = (own.name, first.name)
        needed = required.filter { !$0.isOfVoice }.map(\.name)
        let hint = hints[engine.id]
        for file in files {
            let role = engine.roles.first { role in
                !role.isOfVoice && hints.endings(of: role.name, engine.id).contains { file.name.hasSuffix($0) }
            }
            if let role {
                // A file that the user did not name must contain the engine's signature, because models of other
                // engines may have the same file extension.
                let sign = file.isNamed ? nil : hint?.signs[role.name]
                let isOwn = sign.map { (try? FileSearch.contains(Array($0.utf8), in: file.path)) ?? false } ?? true
                if isOwn { model.append((role.name, file)) }
            } else if file.isNamed {
                if hints.isCustomary(file.name) { hasUnknownFile = true } else { voices.append(file) }
            } else if hint?.voices.contains(where: { file.name.lowercased().hasSuffix($0) }) ?? false,
                file.isPacked || isVoice(OwnFiles.plainName(of: file.path))
            {
                voices.append(file)
            }
        }
    }

    /// Whether the bundle contains voices and exactly one file for each role of their model.
    var isWhole: Bool {
        let roles = model.map(\.role)
        return !hasUnknownFile && !voices.isEmpty && needed.allSatisfy(roles.contains)
            && Set(roles).count == roles.count
    }

    var models: [NamedFile] { model.filter { $0.role == modelRole }.map(\.file) }

    /// The voices to add: all voices that the user named, and any other voices that match the model.
    var chosenVoices: [NamedFile] {
        let matching = models.first.map { voices(for: $0).map(\.path) } ?? []
        return voices.filter { $0.isNamed || matching.contains($0.path) }
    }

    /// For each model, the files that the user must pass together on the command line.
    var choices: [[String]] {
        models.map { model in [model.path] + voices(for: model).map(\.path) }
    }

    /// Returns the voices whose names best match the model's name: "voices-v1.0.bin" matches "kokoro-v1.0.int8.onnx".
    func voices(for model: NamedFile) -> [NamedFile] {
        func parts(_ name: String) -> Set<Substring> { Set(name.split { "-_.".contains($0) }.dropLast()) }
        let packed = voices.filter(\.isPacked)
        guard !packed.isEmpty else { return voices }
        let wanted = parts(model.name)
        let most = packed.map { parts($0.name).intersection(wanted).count }.max() ?? 0
        return packed.filter { parts($0.name).intersection(wanted).count == most }
    }
}

/// The registry's information about a voice, looked up by the voice's file name. A voice without an entry inherits the
/// values that all voices with its ID prefix share: "af_sol", for example, inherits the values shared by "af_heart" and
/// the other "af_" voices.
struct KnownName {
    let name: String
    let language: String
    let accent: String?
    let gender: Gender?
    let grade: String?
    let license: String?
    /// Why the engine does not support the voice, or nil if it does.
    let unsupported: String?

    /// - Parameter id: the file name without its extension.
    init?(_ id: String, of engine: String, in registry: Registry) {
        let voices = registry.voices.filter { $0.engine == engine }
        if let known = voices.first(where: { $0.id == id }) {
            (name, language, accent, gender) = (known.name, known.language, known.accent, known.gender)
            (grade, license, unsupported) = (known.grade, known.license, known.unsupported)
            return
        }
        // ID prefixes have no meaning for engines without voice hints.
        guard registry.hints[engine]?.voices.isEmpty == false, let end = id.firstIndex(of: "_"), end != id.startIndex,
            id.index(after: end) < id.endIndex
        else {
            return nil
        }
        let alike = voices.filter { $0.id.hasPrefix(id[...end]) }
        guard let first = alike.first, alike.allSatisfy({ $0.language == first.language }) else { return nil }
        func common<Value: Equatable>(_ value: (Voice) -> Value?) -> Value? {
            alike.allSatisfy { value($0) == value(first) } ? value(first) : nil
        }
        name = OwnFiles.spoken(String(id[id.index(after: end)...]))
        language = first.language
        (accent, gender, unsupported) = (common(\.accent), common(\.gender), common(\.unsupported))
        (grade, license) = (nil, nil)
    }
}
