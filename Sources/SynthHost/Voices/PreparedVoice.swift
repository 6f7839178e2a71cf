import Engines
package import EngineWire
package import SynthAudio

/// A voice, or a blend of several, with everything that an engine is handed to speak with it.
package struct PreparedVoice: Sendable {
    package let load: LoadRequest
    /// One, or those of a blend, whose weights sum to 1.
    package let uses: [VoiceUse]
    /// The voice that was named first.
    let id: String
    /// Whether the user added it.
    let isUsersOwn: Bool
    /// What brings it to the loudness of the others.
    package let gain: Gain
    /// What the user said that a voice of theirs speaks, which its engine cannot know. BCP-47; nil = the engine knows.
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

    /// Why it was not spoken, with the file that the engine complains of, if it does.
    func failure(_ failure: EngineFailure) -> SpeechFailure {
        guard case .reported(let error) = failure.reason, [.badFile, .missingFile].contains(error.kind),
            let file = (load.files + uses.flatMap(\.files)).first(where: { $0.role == error.role })
        else { return .engine(failure) }
        return .voiceFile(
            VoiceFileFlaw(
                voice: id, isUsersOwn: isUsersOwn, path: file.path, isOfVoice: !load.files.contains(file),
                error: error))
    }
}
