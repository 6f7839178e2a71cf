import SynthCatalogue
import SynthModelStore
import SynthSpeech
import SynthSystem

/// A file that the user named, or one in a folder or an archive that the user named.
struct GivenFile: Sendable {
    let path: String
    /// Whether the user named the file itself. Others may be there for another purpose, such as a README.
    let isNamed: Bool

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether it is a ZIP archive, as NumPy's archives of arrays are; each file in it is a voice.
    var isPacked: Bool {
        guard let (file, _) = try? Descriptor.openRegular(path) else { return false }
        var start = [UInt8](repeating: 0, count: 4)
        let count = start.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        return count == 4 && start == [0x50, 0x4B, 3, 4]
    }

    /// The files in a folder and, to a depth, in the folders in it.
    static func all(in folder: String, depth: Int = 2) -> [GivenFile] {
        OwnFiles.names(in: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            guard isFolder(path) else { return [GivenFile(path: path, isNamed: false)] }
            return depth > 0 ? all(in: path, depth: depth - 1) : []
        }
    }
}

/// What files are to an engine whose voices share a model: models, and voices.
struct OwnBundle {
    let engine: String
    /// The role of a voice's own file.
    let voiceRole: String
    /// The role of the model that has to be there.
    let modelRole: String
    /// By role, in the order of the files. A role may have several.
    private(set) var model: [(role: String, file: GivenFile)] = []
    /// Files with one voice, or with several.
    private(set) var voices: [GivenFile] = []
    /// Whether the user named a file that is neither.
    private(set) var hasStranger = false
    private let needed: [String]

    /// Reads a model to know whose it is. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - hints: the usual names of files, by the id of the engine.
    ///   - isVoice: whether a name without folders and ending is one that this engine's voices have.
    /// - Returns: nil if the engine has no such voices.
    init?(
        _ files: [GivenFile], _ engine: SpeechEngine, _ hints: [String: EngineHints], isVoice: (String) -> Bool
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
                // Other engines have models with the same ending.
                let sign = file.isNamed ? nil : hint?.signs[role.name]
                let isOwn = sign.map { (try? FileSearch.contains(Array($0.utf8), in: file.path)) ?? false } ?? true
                if isOwn { model.append((role.name, file)) }
            } else if file.isNamed {
                if hints.isCustomary(file.name) { hasStranger = true } else { voices.append(file) }
            } else if hint?.voices.contains(where: { file.name.lowercased().hasSuffix($0) }) ?? false,
                file.isPacked || isVoice(OwnFiles.plainName(of: file.path))
            {
                voices.append(file)
            }
        }
    }

    /// Whether it has voices and one file for each role of their model.
    var isWhole: Bool {
        let roles = model.map(\.role)
        return !hasStranger && !voices.isEmpty && needed.allSatisfy(roles.contains) && Set(roles).count == roles.count
    }

    var models: [GivenFile] { model.filter { $0.role == modelRole }.map(\.file) }

    /// The voices to add: the named ones, and of the others those that go with the model.
    var chosenVoices: [GivenFile] {
        let matching = models.first.map { voices(for: $0).map(\.path) } ?? []
        return voices.filter { $0.isNamed || matching.contains($0.path) }
    }

    /// The files to name together for each of the models.
    var choices: [[String]] {
        models.map { model in [model.path] + voices(for: model).map(\.path) }
    }

    /// The voices whose names have the most in common with the name of the model: "voices-v1.0.bin" goes with
    /// "kokoro-v1.0.int8.onnx".
    func voices(for model: GivenFile) -> [GivenFile] {
        func parts(_ name: String) -> Set<Substring> { Set(name.split { "-_.".contains($0) }.dropLast()) }
        let packed = voices.filter(\.isPacked)
        guard !packed.isEmpty else { return voices }
        let wanted = parts(model.name)
        let most = packed.map { parts($0.name).intersection(wanted).count }.max() ?? 0
        return packed.filter { parts($0.name).intersection(wanted).count == most }
    }
}

/// What a registry says of a voice by the name of its file: its own entry, or what all voices have whose ids begin alike, as
/// "af_sol" does with "af_heart".
struct KnownName {
    let name: String
    let language: String
    let accent: String?
    let gender: Gender?
    let grade: String?
    let licence: String?
    /// Why the engine cannot speak it; nil = it can.
    let unsupported: String?

    /// - Parameter id: the file's name without its ending.
    init?(_ id: String, of engine: String, in registry: Registry) {
        let voices = registry.voices.filter { $0.engine == engine }
        if let known = voices.first(where: { $0.id == id }) {
            (name, language, accent, gender) = (known.name, known.language, known.accent, known.gender)
            (grade, licence, unsupported) = (known.grade, known.licence, known.unsupported)
            return
        }
        // Elsewhere ids that begin alike have nothing else in common.
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
        (grade, licence) = (nil, nil)
    }
}
