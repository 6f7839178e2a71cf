import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// Errors that are not about the voice, the engine or the output.
extension SpeechError {
    /// A ``Speech`` can be read only once.
    package static let alreadyRead = SpeechError(.alreadyRead, "The text has already been spoken.")

    /// The session was closed.
    package static let closed = SpeechError(.closed, "The voice was released while it was in use.")

    /// The text contains no speech, so no file was written.
    package static let nothingToSay = SpeechError(.nothingToSay, "The text contains nothing to speak.")

    /// The sequence that provides the text threw an error.
    package static func textSourceFailed(_ error: any Error) -> SpeechError {
        SpeechError(
            .textSourceFailed, "Cannot read the text: \(Wording.clause("\(error)")).",
            Facts(reason: "\(error)"),
            cause: error)
    }

    /// A script plays a clip on a channel in parallel with the speech, but channels exist only in queues.
    package static func channelUnavailable(_ channel: String, clip: String) -> SpeechError {
        SpeechError(
            .channelUnavailable,
            "The clip \(Wording.quoted(clip)) needs the channel \(Wording.quoted(channel)), but only queues have channels.",
            Facts(name: clip, candidates: [channel]), remedy: .useChannels)
    }

    /// The file extension does not match any timings format.
    package static func timingsEndingUnknown(path: String) -> SpeechError {
        SpeechError(
            .timingsFormatUnknown, "\"\(path)\" does not have the extension of a supported timings format.",
            Facts(path: path),
            remedy: .chooseTimingsFormat(["srt", "vtt", "json"]))
    }

    /// The audio and the timings cannot be written to the same file.
    package static func outputsCollide(path: String) -> SpeechError {
        SpeechError(
            .outputsCollide, "The audio and its timings cannot both be written to \"\(path)\".", Facts(path: path),
            remedy: .chooseFile(for: .timings))
    }

    /// An environment variable is not valid UTF-8, so it cannot be used as a path.
    package static func environmentInvalid(_ variable: String) -> SpeechError {
        SpeechError(
            .environmentInvalid, "The environment variable \(variable) is not UTF-8.", Facts(name: variable),
            remedy: .correctVariable(variable))
    }

    /// A component of synthhost is missing.
    ///
    /// - Parameters:
    ///   - program: the name of the program.
    ///   - candidates: the paths that were searched.
    package static func installationIncomplete(_ program: String, candidates: [String]) -> SpeechError {
        SpeechError(
            .installationIncomplete,
            "The program \(program) is missing. Paths searched: \(candidates.joined(separator: ", ")).",
            Facts(name: program, candidates: candidates), remedy: .installSynthhost)
    }
}

extension SpeechError {
    /// An engine was unable to use a voice file.
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

    /// The ID of the engine that crashed, hung or violated its contract, or nil for other errors.
    package var brokenEngine: String? {
        guard let failure = cause as? EngineFailure else { return nil }
        switch failure.code {
        case .engineCrashed, .engineHung, .engineContractBroken: return failure.engine
        default: return nil
        }
    }

    /// The file that contains the engine's output, or nil if there is no output or the error has another cause.
    package var log: String? { (cause as? EngineFailure)?.log }

    /// Whether the engine or its files are at fault, in which case another engine may succeed.
    package var isOfEngine: Bool {
        switch code {
        case .voiceFileInvalid, .voiceDamaged, .voiceIncomplete, .soundFormatUnsupported, .soundNotConverted: true
        // Unspeakable text is rejected before it reaches an engine, so it is not the engine's fault.
        default: (cause as? EngineFailure).map { $0.reason != .unspeakableText } ?? false
        }
    }
}
