package import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

/// A voice or a blend of voices, along with everything that its engine needs to load it.
package struct PreparedVoice: Sendable {
    package let load: LoadRequest
    /// A single voice, or the voices of a blend, whose weights add up to 1.
    package let uses: [VoiceUse]
    /// The voices' files, excluding the model's files.
    package var files: [HandedFile] { uses.flatMap(\.files) }
    /// The ID of the first requested voice.
    let id: String
    let isUsersOwn: Bool
    /// The gain that matches the voice's loudness to the loudness of other voices.
    package let gain: Gain
    /// The language (BCP 47) of a voice that the user added, if the engine does not know that language; otherwise nil.
    package let language: String?

    package init(
        load: LoadRequest, uses: [VoiceUse], gain: Gain, language: String? = nil, id: String? = nil,
        isUsersOwn: Bool = false
    ) {
        self.id = id ?? load.id
        self.isUsersOwn = isUsersOwn
        self.load = load
        self.uses = uses
        self.gain = gain
        self.language = language
    }

    /// Converts an engine failure to an error. If the engine rejected a file, the error includes that file's path.
    package func failure(_ failure: EngineFailure) -> SpeechError {
        guard case .reported(let error) = failure.reason, [.badFile, .missingFile].contains(error.kind),
            let file = (load.files + uses.flatMap(\.files)).first(where: { $0.role == error.role })
        else { return SpeechError(failure) }
        return .voiceFileInvalid(
            file.path, voice: id, isUsersOwn: isUsersOwn, isShared: load.files.contains(file), error)
    }
}

/// Identifies a loaded model by the plugin and the current versions of its files.
package struct ModelKey: Hashable, Sendable {
    /// The path of the plugin file.
    package let plugin: String
    package let load: LoadRequest
    private let identities: [FileIdentity?]

    package init(plugin: String, _ load: LoadRequest) {
        self.plugin = plugin
        self.load = load
        identities = ([plugin] + load.files.map(\.path)).map { FileIdentity(path: $0) }
    }
}
