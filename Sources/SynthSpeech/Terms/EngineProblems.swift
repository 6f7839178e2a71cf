import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

extension SpeechError {
    /// An engine cannot use a voice file.
    ///
    /// - Parameters:
    ///   - voice: the ID of the voice.
    ///   - isUsersOwn: whether the user added the voice.
    ///   - isShared: whether the file belongs to the model rather than to a single voice.
    package static func voiceFileInvalid(
        _ path: String, voice: String, isUsersOwn: Bool, isShared: Bool, _ error: EngineError
    ) -> SpeechError {
        SpeechError(
            .voiceFileInvalid, "\(path): \(error.words)", Facts(path: path, voice: voice, reason: error.words),
            remedy: isUsersOwn ? .replaceOwnFile(voice: voice, isShared: isShared) : .repairVoice(voice))
    }

    /// The ID of an engine that crashed, hung or violated its contract, or nil for other errors.
    package var brokenEngine: String? {
        guard let failure = cause as? EngineFailure else { return nil }
        switch failure.code {
        case .engineCrashed, .engineHung, .engineContractBroken: return failure.engine
        default: return nil
        }
    }

    /// The file with the engine's output, or nil if it printed nothing or the error has another cause.
    package var log: String? { (cause as? EngineFailure)?.log }

    /// Whether the engine or its files are at fault, so that another engine may succeed.
    package var isOfEngine: Bool {
        switch code {
        case .voiceFileInvalid, .voiceDamaged, .voiceIncomplete, .soundFormatUnsupported, .soundNotConverted: true
        // Text that cannot be spoken is never passed to an engine.
        default: (cause as? EngineFailure).map { $0.reason != .unspeakableText } ?? false
        }
    }
}
