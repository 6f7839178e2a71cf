import VoiceCatalogue
import SynthHost

extension SpeechFailure {
    /// The status of an answer that has no sound.
    var status: HTTPStatus {
        switch self {
        case .voice(.notDownloaded), .voice(.damaged), .voice(.missingFile), .voice(.noEngine): .serviceUnavailable
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
        case .script, .channel, .clip: "invalid_markup"
        default: "speech_failed"
        case .overloaded: "busy"
        }
    }

    var isOfVoice: Bool { if case .voice = self { true } else { false } }
}
