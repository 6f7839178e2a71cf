import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

extension SpeechError {
    /// An engine cannot use a file of a voice.
    ///
    /// - Parameters:
    ///   - voice: its id.
    ///   - isUsersOwn: whether the user added the voice.
    ///   - isShared: whether the file belongs to the model, and not to the voice alone.
    package static func voiceFileInvalid(
        _ path: String, voice: String, isUsersOwn: Bool, isShared: Bool, _ error: EngineError
    ) -> SpeechError {
        SpeechError(
            .voiceFileInvalid, "\(path): \(error.words)", Facts(path: path, voice: voice, reason: error.words),
            remedy: isUsersOwn ? .replaceOwnFile(voice: voice, isShared: isShared) : .repairVoice(voice))
    }

    /// The id of an engine that did what no engine may do, whatever it was asked for; nil = it is something else.
    package var brokenEngine: String? {
        guard let failure = cause as? EngineFailure else { return nil }
        switch failure.code {
        case .engineCrashed, .engineHung, .engineContractBroken: return failure.engine
        default: return nil
        }
    }

    /// The file with what the engine printed; nil = it printed nothing, or it is something else.
    package var log: String? { (cause as? EngineFailure)?.log }

    /// Whether an engine, or what it was handed, is not as it should be, so that another one may do better.
    package var isOfEngine: Bool {
        switch code {
        case .voiceFileInvalid, .voiceDamaged, .voiceIncomplete, .soundFormatUnsupported, .soundNotConverted: true
        // No engine is handed a text that is unspeakable.
        default: (cause as? EngineFailure).map { $0.reason != .unspeakableText } ?? false
        }
    }
}
