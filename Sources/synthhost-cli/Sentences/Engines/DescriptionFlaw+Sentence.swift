import EngineWire

extension DescriptionFlaw {
    /// A clause to follow the engine's name.
    var words: String {
        switch self {
        case .unusable(let field): "gives no usable \(field.words)"
        case .unusableList(let field): "gives no usable list of the \(field.words)"
        case .forbiddenCharacters(let text, let field):
            "gives \"\(text)\" as the \(field.words), which holds characters that are not allowed there"
        case .unusableRange(let low, let high, let field):
            "gives \(low) to \(high) as the range of its \(field.words), which must be positive and include 1"
        case .tooMany(let field, let most): "has more than \(most) \(field.words)"
        case .sameID(let id): "has two voices with the id \(id)"
        case .missingFile(let voice): "has a NULL among the files of the voice \(voice)"
        }
    }
}

extension DescriptionField {
    fileprivate var words: String { name.words + (voice.map { " \($0)" } ?? "") }
}

extension DescriptionField.Name {
    fileprivate var words: String {
        switch self {
        case .id: "id"
        case .name: "name"
        case .version: "version"
        case .licence: "licence"
        case .url: "url"
        case .rate: "rate"
        case .pitch: "pitch"
        case .roles: "roles"
        case .voices: "voices"
        case .roleName: "name of a role"
        case .voiceID: "id of a voice"
        case .voiceName: "name of the voice"
        case .language: "language of the voice"
        case .accent: "accent of the voice"
        case .voiceLicence: "licence of the voice"
        case .model: "model of the voice"
        case .speakers: "speakers of the voice"
        case .speakerName: "name of a speaker of the voice"
        case .files: "files of the voice"
        case .fileRole: "role of a file of the voice"
        case .fileURL: "URL of a file of the voice"
        case .fileDigest: "digest of a file of the voice"
        case .variables: "environment variables"
        case .variableName: "name of an environment variable"
        }
    }
}
