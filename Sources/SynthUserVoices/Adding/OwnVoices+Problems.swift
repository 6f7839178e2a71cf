import SynthCatalogue
import SynthEngineWire
import SynthSpeech
import SynthSystem

/// Errors for files that do not form a voice, with suggestions.
extension OwnVoices {
    /// The error for recognized files that do not form a voice, or nil if no files were recognized.
    func problem(_ bundles: [OwnBundle], _ paths: [String]) -> SpeechError? {
        for bundle in bundles where !bundle.hasUnknownFile {
            let origins = hints[bundle.engine]?.origins ?? [:]
            if bundle.models.count > 1, !bundle.voices.isEmpty {
                return .severalModels(path: shown(paths), choices: nextChoices(bundle.choices))
            }
            if bundle.models.isEmpty, let voices = bundle.voices.first, isRecognised(voices, by: bundle.engine) {
                let model = models(beside: voices, of: bundle.engine)
                return .noModel(
                    voices: addition.shown(voices.path), engine: bundle.engine, role: bundle.modelRole,
                    from: model == nil ? origins[bundle.modelRole] : nil,
                    next: next([model ?? origins[bundle.modelRole]?.file ?? "MODEL"] + paths))
            }
            // A single file may belong to a different engine; the caller checks for that.
            if bundle.voices.isEmpty, let model = bundle.models.first, !model.isNamed || paths.count > 1 {
                return noVoice(addition.shown(model.path), bundle.engine, bundle.voiceRole, paths, beside: nil)
            }
        }
        return nil
    }

    /// Whether the file contains the engine's voices, judging by its name and content.
    private func isRecognised(_ file: NamedFile, by engine: String) -> Bool {
        let name = file.name.lowercased()
        guard hints[engine]?.voices.contains(where: { name.hasSuffix($0) }) ?? false else { return false }
        return file.isPacked || KnownName(OwnFiles.plainName(of: file.path), of: engine, in: library.registry) != nil
    }

    /// The path of the model next to a voices file, or nil unless there is exactly one such model.
    private func models(beside file: NamedFile, of engine: String) -> String? {
        let files = NamedFile.all(in: LinkTarget.folder(of: file.path), depth: 0)
        let models = (try? bundles(files))?.first { $0.engine == engine }?.models ?? []
        return models.count == 1 ? models.first?.path : nil
    }

    private func noVoice(
        _ model: String, _ engine: String, _ role: String, _ paths: [String], beside file: String?
    ) -> SpeechError {
        var voices: [String] = []
        if let file {
            let files = NamedFile.all(in: LinkTarget.folder(of: file), depth: 0)
            let bundle = (try? bundles(files))?.first { $0.engine == engine }
            voices = bundle?.voices(for: NamedFile(path: file, isNamed: true)).map(\.path) ?? []
        }
        let origin = hints[engine]?.origins[role]
        return .noVoice(
            model: model, engine: engine, role: role, from: voices.isEmpty ? origin : nil,
            next: next(paths + (voices.isEmpty ? [origin?.file ?? example(role, engine)] : voices)))
    }

    func nextChoices(_ choices: [[String]]) -> [SpeechError.Remedy.Addition] {
        choices.map { next($0.map { addition.shown($0) }) }
    }

    private func shown(_ paths: [String]) -> String { paths.count == 1 ? paths[0] : "\(paths.count) files" }

    func next(_ paths: [String]) -> SpeechError.Remedy.Addition {
        SpeechError.Remedy.Addition(paths: paths, language: words.language, engine: words.engine)
    }

    /// The error for a file without its companion file, or nil if it is unclear which file is missing.
    func missing(_ files: OwnFiles, _ candidates: [SpeechEngine]) -> SpeechError? {
        let signed = candidates.filter { files.hasSign(of: $0) }
        let lacks = (signed.isEmpty ? candidates : signed).compactMap { engine in
            files.missing(for: engine).map { (engine: engine.id, role: $0.role, name: $0.name) }
        }
        guard let lack = lacks.first(where: { $0.name != nil }) ?? lacks.first else { return nil }
        if let name = lack.name { return .missing(name: name, beside: files.path, engine: lack.engine) }
        guard lack.role.isOfVoice else { return nil }
        return noVoice(files.path, lack.engine, lack.role.name, [files.path], beside: files.path)
    }

    /// The file name of a registry voice, to show as an example.
    private func example(_ role: String, _ engine: String) -> String {
        let known = library.registry.starters + library.registry.voices
        let files = known.lazy.filter { $0.engine == engine }.flatMap(\.files)
        return files.first { $0.role == role }?.name ?? "FILE"
    }
}
