import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthHTTPServer
import SynthService

extension HearingFailure {
    /// The status of an answer that has no text.
    var status: HTTPStatus {
        switch self {
        case .choice(.hearing(let problem)): problem.status
        case .choice: .serviceUnavailable
        case .noTranslation, .language: .badRequest
        case .recognizer(let failure): failure.isOfRequest ? .badRequest : .serviceUnavailable
        case .sound(let error): error.status
        case .tooLong: .contentTooLarge
        case .overloaded: .serviceUnavailable
        }
    }

    /// A word for programs.
    var webCode: String {
        switch self {
        case .choice(.hearing(let problem)): problem.webCode
        case .choice: "recognizer_unusable"
        case .language: "unsupported_language"
        case .recognizer(let failure): failure.isOfRequest ? "invalid_request" : "recognizer_failed"
        case .sound(let error): error.status == .badRequest ? "invalid_sound" : "sound_not_read"
        case .noTranslation: "cannot_translate"
        case .tooLong: "sound_too_long"
        case .overloaded: "busy"
        }
    }
}

extension HearingProblem {
    fileprivate var status: HTTPStatus {
        switch self {
        case .unknownModel, .unknownRecognizer, .onlyDetects: .notFound
        // Asking again does not help: somebody has to put a recognizer or a model here first.
        case .noRecognizer, .notDownloaded: .notFound
        case .noModel, .otherLanguage: .badRequest
        case .unusable: .serviceUnavailable
        }
    }

    fileprivate var webCode: String {
        switch self {
        case .unknownModel, .unknownRecognizer, .onlyDetects: "unknown_model"
        case .noRecognizer: "no_recognizer"
        case .notDownloaded: "model_not_downloaded"
        case .noModel, .otherLanguage: "unsupported_language"
        case .unusable: "recognizer_unusable"
        }
    }
}

extension EngineFailure {
    /// Another request may be understood.
    fileprivate var isOfRequest: Bool {
        if case .reported(let error) = reason { error.kind == .badRequest } else { false }
    }
}

extension ClipError {
    fileprivate var status: HTTPStatus {
        switch reason {
        case .notDecodable, .damaged, .cutShort, .notFinite, .formatUnusable: .badRequest
        case .tooLong: .contentTooLarge
        case .notOpened, .decoderNotLoaded, .conversionFailed: .internalServerError
        }
    }
}
