package import SynthCatalogue
package import SynthEngineWire

extension EngineDescription {
    /// The voices that the engine provides without files, except those whose errors are in `unusableVoices`.
    package var builtInVoices: [Voice] { declarations.compactMap { try? $0.get() } }

    /// One error for each built-in voice that is unusable, for example because its ID is not a valid folder name.
    package var unusableVoices: [RegistryError] {
        declarations.compactMap { if case .failure(let error) = $0 { error } else { nil } }
    }

    private var declarations: [Result<Voice, RegistryError>] {
        voices.filter(\.sources.isEmpty).map { description in
            Result { () throws(RegistryError) in try voice(description) }
        }
    }

    /// The voices for which the engine declares files.
    package func declaredVoices() throws(RegistryError) -> [Voice] {
        var declared: [Voice] = []
        for description in voices where !description.sources.isEmpty { declared.append(try voice(description)) }
        return declared
    }

    private func voice(_ description: VoiceDescription) throws(RegistryError) -> Voice {
        let files = description.sources.map { source in
            DeclaredVoice.File(
                role: source.role, isShared: roles.first { $0.name == source.role }?.isOfVoice == false,
                url: source.url, sha256: source.sha256, size: source.size)
        }
        return try Voice(
            DeclaredVoice(
                id: description.id, name: description.name, language: description.language,
                accent: description.accent, gender: Gender(description.gender), license: description.license,
                model: description.model, speakers: description.speakers, files: files),
            by: id)
    }
}

extension Gender {
    fileprivate init?(_ gender: VoiceDescription.Gender) {
        switch gender {
        case .unsaid: return nil
        case .female: self = .female
        case .male: self = .male
        case .neutral: self = .neutral
        }
    }
}

extension VoiceEngine {
    /// Extracts the part of an engine's description that is needed to choose a voice.
    ///
    /// - Parameter first: the ID of the default engine.
    package init(_ engine: EngineDescription, first: String? = nil) {
        self.init(
            id: engine.id, isFirst: engine.id == first, isExample: engine.capabilities.contains(.isExample),
            blends: engine.capabilities.contains(.blends),
            known: Dictionary(
                engine.voices.map { ($0.id, Known(model: $0.model, needsFiles: !$0.sources.isEmpty)) },
                uniquingKeysWith: { first, _ in first }))
    }
}

extension EngineDescription {
    /// Whether the engine provides the voice without files.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool {
        voices.contains { $0.id == voice.id && $0.sources.isEmpty }
    }
}
