package import SynthSystem

/// Why a text is not spoken, apart from its voice, its engine and its output.
extension SpeechError {
    /// A speech is read once.
    package static let alreadyRead = SpeechError(.alreadyRead, "The text was spoken already.")

    /// The session was closed.
    package static let closed = SpeechError(.closed, "The voice was released while it was needed.")

    /// The text contains nothing that can be spoken, so no file was written.
    package static let nothingToSay = SpeechError(.nothingToSay, "The text contains nothing that can be spoken.")

    /// The sequence that gave the text threw.
    package static func textSourceFailed(_ error: any Error) -> SpeechError {
        SpeechError(
            .textSourceFailed, "The text ended with an error: \(Wording.clause("\(error)")).",
            Facts(reason: "\(error)"),
            cause: error)
    }

    /// A script starts a clip on a channel beside the speech, which only a queue has.
    package static func channelUnavailable(_ channel: String, clip: String) -> SpeechError {
        SpeechError(
            .channelUnavailable,
            "The clip \(Wording.quoted(clip)) is to sound on the channel \(Wording.quoted(channel)), and one voice alone has none.",
            Facts(name: clip, candidates: [channel]), remedy: .useChannels)
    }

    /// The ending of the name of a file of times means no format.
    package static func timingsEndingUnknown(path: String) -> SpeechError {
        SpeechError(
            .timingsFormatUnknown, "The ending of \"\(path)\" is no format of times that synthhost writes.",
            Facts(path: path),
            remedy: .chooseTimingsFormat(["srt", "vtt", "json"]))
    }

    /// The sound and its times cannot be one file.
    package static func outputsCollide(path: String) -> SpeechError {
        SpeechError(
            .outputsCollide, "The sound and its times cannot both be written to \"\(path)\".", Facts(path: path),
            remedy: .chooseFile(for: .timings))
    }

    /// A variable of the environment is not UTF-8, so it would lead to other files than it says.
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
