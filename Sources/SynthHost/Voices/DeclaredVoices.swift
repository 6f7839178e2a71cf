package import EngineWire
package import ModelStore

extension EngineDescription {
    /// The voices that the engine speaks without any file.
    package var builtInVoices: [Voice] { voices.filter(\.sources.isEmpty).compactMap { try? voice($0) } }

    /// The voices that the engine says the files of.
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
                accent: description.accent, gender: Gender(description.gender), licence: description.licence,
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
