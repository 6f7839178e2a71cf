package import SynthSystem

/// Errors of a speech that concern neither its voice, its engine nor its output.
extension SpeechError {
    /// A speech can be read only once.
    package static let alreadyRead = SpeechError(.alreadyRead, "The text was spoken already.")

    /// The session has been closed.
    package static let closed = SpeechError(.closed, "The voice was released while it was needed.")

    /// The text contains no speech, so no file was written.
    package static let nothingToSay = SpeechError(.nothingToSay, "The text contains nothing that can be spoken.")

    /// The sequence that provides the text threw an error.
    package static func textSourceFailed(_ error: any Error) -> SpeechError {
        SpeechError(
            .textSourceFailed, "The text ended with an error: \(Wording.clause("\(error)")).",
            Facts(reason: "\(error)"),
            cause: error)
    }

    /// A script starts a clip on a channel in parallel with the speech, but only a queue has channels.
    package static func channelUnavailable(_ channel: String, clip: String) -> SpeechError {
        SpeechError(
            .channelUnavailable,
            "The clip \(Wording.quoted(clip)) is to sound on the channel \(Wording.quoted(channel)), and one voice alone has none.",
            Facts(name: clip, candidates: [channel]), remedy: .useChannels)
    }

    /// The file extension matches no format for timings.
    package static func timingsEndingUnknown(path: String) -> SpeechError {
        SpeechError(
            .timingsFormatUnknown, "The ending of \"\(path)\" is no format of times that synthhost writes.",
            Facts(path: path),
            remedy: .chooseTimingsFormat(["srt", "vtt", "json"]))
    }

    /// The audio and the timings cannot be written to the same file.
    package static func outputsCollide(path: String) -> SpeechError {
        SpeechError(
            .outputsCollide, "The sound and its times cannot both be written to \"\(path)\".", Facts(path: path),
            remedy: .chooseFile(for: .timings))
    }

    /// A variable of the environment is not UTF-8, so it cannot name a file.
    package static func environmentInvalid(_ variable: String) -> SpeechError {
        SpeechError(
            .environmentInvalid, "The environment variable \(variable) is not UTF-8.", Facts(name: variable),
            remedy: .correctVariable(variable))
    }

    /// A part of synthhost was not found.
    ///
    /// - Parameters:
    ///   - program: the name of the program.
    ///   - candidates: the paths that were searched.
    package static func installationIncomplete(_ program: String, candidates: [String]) -> SpeechError {
        SpeechError(
            .installationIncomplete,
            "The program \(program) is missing: \(candidates.joined(separator: ", ")) does not exist.",
            Facts(name: program, candidates: candidates), remedy: .installSynthhost)
    }
}
