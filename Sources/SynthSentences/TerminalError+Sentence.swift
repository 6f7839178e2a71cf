import Glibc
import SynthSystem
package import SynthTerminal

extension TerminalError {
    /// What happened, in one sentence.
    package var message: String {
        switch self {
        case .brokenPipe: "The reader of the output has gone."
        case .failed(EBADF): "The output is closed, so nothing can be written to it."
        case .failed(let code): "The output cannot be written: \(Errno(code))."
        case .interrupted: "Interrupted."
        case .cancelled: "Cancelled."
        case .noAnswer(let code): "The terminal cannot be used for a question: \(Errno(code))."
        }
    }

    /// What to do next, in one sentence.
    package var remedy: String {
        switch self {
        case .brokenPipe: "Keep the reading program running."
        case .failed(ENOSPC), .failed(EDQUOT): "Free some space and run the command again."
        case .failed(EBADF): "Run the command again without closing it (>&-)."
        case .failed: "Check where the output is redirected to and run the command again."
        case .interrupted, .cancelled, .noAnswer: "Run the command again and give the answer as an option."
        }
    }
}
