import SynthHost

/// In the result of `speak --json` and `play --json`: a voice that another one spoke for.
struct ReplacedVoice: Encodable {
    struct StandIn: Encodable {
        let engine: String
        let voice: String
    }

    /// Not set if the voice was not found, because its engine cannot be used.
    let engine: String?
    let voice: String?
    let by: StandIn
    /// What happened.
    let message: String

    init(_ replacement: VoiceReplacement) {
        engine = replacement.voice?.engine
        voice = replacement.voice?.id
        by = StandIn(engine: replacement.other.engine, voice: replacement.other.id)
        message = replacement.failure.message
    }
}
