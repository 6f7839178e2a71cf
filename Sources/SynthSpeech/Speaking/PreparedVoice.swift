package import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

/// A voice, or a blend of several, with everything that its engine needs to speak.
package struct PreparedVoice: Sendable {
    package let load: LoadRequest
    /// One voice, or those of a blend. Their weights sum to 1.
    package let uses: [VoiceUse]
    /// The files of the voices, besides those of the model.
    package var files: [HandedFile] { uses.flatMap(\.files) }
    /// The voice that was named first.
    let id: String
    /// Whether the user added it.
    let isUsersOwn: Bool
    /// The gain that makes it as loud as other voices.
    package let gain: Gain
    /// The language of a voice that the user added (BCP-47), which its engine cannot know; nil = the engine knows.
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

    /// The failure of speech with this voice. It names the file that the engine rejects, if it does.
    package func failure(_ failure: EngineFailure) -> SpeechError {
        guard case .reported(let error) = failure.reason, [.badFile, .missingFile].contains(error.kind),
            let file = (load.files + uses.flatMap(\.files)).first(where: { $0.role == error.role })
        else { return SpeechError(failure) }
        return .voiceFileInvalid(
            file.path, voice: id, isUsersOwn: isUsersOwn, isShared: load.files.contains(file), error)
    }
}

/// A model as an engine loads it: the plugin and the files, as they are now.
package struct ModelKey: Hashable, Sendable {
    /// The engine's file.
    package let plugin: String
    package let load: LoadRequest
    /// What tells a file that was replaced from the one that was there.
    private let identities: [FileIdentity?]

    package init(plugin: String, _ load: LoadRequest) {
        self.plugin = plugin
        self.load = load
        identities = ([plugin] + load.files.map(\.path)).map { FileIdentity(path: $0) }
    }
}
