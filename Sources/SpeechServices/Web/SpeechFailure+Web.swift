import VoiceCatalogue
import SynthHost

extension SpeechFailure {
    /// The status of an answer that has no sound.
    var status: HTTPStatus {
        switch self {
        // Asking again helps as little as a balancer's other servers would: somebody has to put a voice here first.
        case .voice(.notDownloaded): .notFound
        case .voice(.damaged), .voice(.missingFile), .voice(.noEngine): .serviceUnavailable
        case .voice, .text, .script, .channel, .clip: .badRequest
        // The next request may find an engine that works, and a balancer another server.
        default: .serviceUnavailable
        }
    }

    /// A word for programs.
    var webCode: String {
        switch self {
        case .engine: "engine_failed"
        case .voice(.unknownVoice), .voice(.forgottenVoice): "unknown_voice"
        case .voice(.ambiguousVoice): "ambiguous_voice"
        case .voice(.unknownSpeaker): "unknown_speaker"
        case .voice(.unknownLanguage): "unknown_language"
        case .voice(.notDownloaded): "voice_not_downloaded"
        case .voice, .voiceFile: "voice_unusable"
        case .text: "invalid_text"
        case .overloaded: "busy"
        case .script, .channel, .clip: "invalid_markup"
        default: "speech_failed"
        }
    }

    var isOfVoice: Bool { if case .voice = self { true } else { false } }
}
