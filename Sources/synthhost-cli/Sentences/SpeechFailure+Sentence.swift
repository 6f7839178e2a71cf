import ModelStore
import SynthHost

extension SpeechFailure {
    /// What happened, in one sentence.
    var message: String {
        switch self {
        case .engine(let failure): failure.message
        case .voiceFile(let flaw): flaw.message
        case .voice(let error): error.message
        case .text(let error): error.message
        case .textSource(let error): "The text ended with an error: \(error)"
        case .input(let name, let reason): "\(name) cannot be read: \(reason)."
        case .noThread: "The system has no thread left to speak on."
        case .audio(let error): error.message
        case .installation(let error): error.message
        case .registry(let error): error.message
        case .alreadyRead: "The text was spoken already."
        case .closed: "The voice was released while it was needed."
        }
    }

    /// What to type next, in one sentence; empty if there is nothing to do.
    var remedy: String {
        switch self {
        case .engine(let failure): failure.remedy
        case .voiceFile(let flaw): flaw.remedy
        case .voice(let error): error.remedy
        case .text(let error): error.remedy
        case .textSource, .alreadyRead, .closed: ""
        case .input: "Name a text file with -f, or pass the text itself."
        case .noThread: "End other programs, or raise the limit with `ulimit -u`, then run the command again."
        case .audio(let error): error.remedy
        case .installation(let error): error.remedy
        case .registry(let error): error.remedy
        }
    }
}
