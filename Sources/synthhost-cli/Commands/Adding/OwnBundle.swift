import ModelStore
import SynthHost
import VoiceCatalogue

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
