import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// What an engine says of a file of a voice that it cannot use.
package struct VoiceFileFlaw: ErrorCause, Equatable {
    /// The id of the voice.
    package let voice: String
    /// Whether the user added the voice.
    package let isUsersOwn: Bool
    package let path: String
    /// Whether the file belongs to the voice alone, and not to its model.
    package let isOfVoice: Bool
    package var error: EngineError

    package var code: SpeechError.Code { .voiceFileInvalid }
    package var facts: SpeechError.Facts { .init(path: path, voice: voice, reason: error.words) }
    package var message: String { "\(path): \(error.words)" }
    package var remedy: SpeechError.Remedy? { isUsersOwn ? .replaceOwnFile(voice: voice) : .repairVoice(voice) }
}

extension SpeechError {
    /// The id of an engine that did what no engine may do, whatever it was asked for; nil = it is something else.
    package var brokenEngine: String? {
        guard let failure = cause as? EngineFailure else { return nil }
        switch failure.code {
        case .engineCrashed, .engineHung, .engineContractBroken: return failure.engine
        default: return nil
        }
    }

    /// The file with what the engine printed; nil = it printed nothing, or it is something else.
    package var log: String? { (cause as? EngineFailure)?.log ?? (cause as? RecognizerFailure)?.failure.log }

    /// Whether an engine, or what it was handed, is not as it should be, so that another one may do better.
    package var isOfEngine: Bool {
        switch code {
        case .voiceFileInvalid, .voiceDamaged, .voiceIncomplete, .soundFormatUnsupported, .soundNotConverted: true
        // No engine is handed a text that is unspeakable.
        default: (cause as? EngineFailure).map { $0.reason != .unspeakableText } ?? false
        }
    }
}
