package import SynthSystem

/// Why a text is not spoken, apart from its voice, its engine and its output.
package enum SpeechProblem: ErrorCause {
    /// A speech is read once.
    case alreadyRead
    /// The session was closed.
    case closed
    /// The sequence that gave the text threw.
    case textSource(any Error)
    /// A script starts a clip on a channel beside the speech, which only a queue has.
    case channel(String, clip: String)
    /// The text contains nothing that can be spoken, so no file was written.
    case nothingToSay
    /// The ending of the name of a file of times means no format.
    case timingsEndingUnknown(path: String)
    /// The sound and its times cannot be one file.
    case oneFile(path: String)
    /// A variable of the environment is not UTF-8, so it would lead to other files than it says.
    case environment(variable: String)

    package var code: SpeechError.Code {
        switch self {
        case .alreadyRead: .alreadyRead
        case .closed: .closed
        case .textSource: .textSourceFailed
        case .channel: .channelUnavailable
        case .nothingToSay: .nothingToSay
        case .timingsEndingUnknown: .timingsFormatUnknown
        case .oneFile: .outputsCollide
        case .environment: .environmentInvalid
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .alreadyRead, .closed, .nothingToSay: .init()
        case .textSource(let error): .init(reason: "\(error)")
        case .channel(let channel, let clip): .init(name: clip, candidates: [channel])
        case .timingsEndingUnknown(let path), .oneFile(let path): .init(path: path)
        case .environment(let variable): .init(name: variable)
        }
    }

    package var message: String {
        switch self {
        case .alreadyRead: "The text was spoken already."
        case .closed: "The voice was released while it was needed."
        case .textSource(let error): "The text ended with an error: \(Wording.clause("\(error)"))."
        case .channel(let channel, let clip):
            "The clip \(Wording.quoted(clip)) is to sound on the channel \(Wording.quoted(channel)), and one voice alone has none."
        case .nothingToSay: "The text contains nothing that can be spoken."
        case .timingsEndingUnknown(let path): "The ending of \"\(path)\" is no format of times that synthhost writes."
        case .oneFile(let path): "The sound and its times cannot both be written to \"\(path)\"."
        case .environment(let variable): "The environment variable \(variable) is not UTF-8."
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .alreadyRead, .closed, .textSource, .nothingToSay: nil
        case .channel: .useChannels
        case .timingsEndingUnknown: .chooseTimingsFormat(["srt", "vtt", "json"])
        case .oneFile: .chooseFile(for: .timings)
        case .environment(let variable): .correctVariable(variable)
        }
    }

    package var underlying: (any Error)? { if case .textSource(let error) = self { error } else { self } }
}

extension SpeechError {
    /// A speech is read once.
    package static let alreadyRead = SpeechError(SpeechProblem.alreadyRead)
    /// The session was closed.
    package static let closed = SpeechError(SpeechProblem.closed)
    /// The text contains nothing that can be spoken.
    package static let nothingToSay = SpeechError(SpeechProblem.nothingToSay)
}

/// A part of synthhost that was not found.
package struct MissingProgram: ErrorCause, Equatable {
    /// The name of the program.
    package let missing: String
    /// The paths that were searched.
    package let candidates: [String]

    package init(missing: String, candidates: [String]) {
        self.missing = missing
        self.candidates = candidates
    }

    package var code: SpeechError.Code { .installationIncomplete }
    package var facts: SpeechError.Facts { .init(name: missing, candidates: candidates) }
    package var message: String {
        "The program \(missing) is missing: \(candidates.joined(separator: ", ")) does not exist."
    }
    package var remedy: SpeechError.Remedy? { .installSynthhost }
}
