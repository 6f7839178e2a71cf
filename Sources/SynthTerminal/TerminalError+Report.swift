import Glibc
package import SynthSystem

extension TerminalError: ErrorCause {
    package var code: SpeechError.Code {
        switch self {
        case .brokenPipe: .readerGone
        case .failed: .terminalFailed
        case .noAnswer: .questionUnanswered
        case .interrupted, .cancelled: .cancelled
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .failed(let code), .noAnswer(let code): .init(errno: code)
        case .brokenPipe, .interrupted, .cancelled: .init()
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .brokenPipe: .keepReaderRunning
        case .failed(ENOSPC), .failed(EDQUOT): .freeSpace(for: .text)
        case .failed(EBADF): .keepOutputOpen
        case .failed: .chooseFile(for: .text)
        case .interrupted, .cancelled, .noAnswer: .answerByOption
        }
    }

    package var message: String {
        switch self {
        case .brokenPipe: "The program that reads the output has exited."
        case .failed(EBADF): "The output is closed."
        case .failed(let code): "The output cannot be written: \(Errno(code))."
        case .interrupted: "Interrupted."
        case .cancelled: "Cancelled."
        case .noAnswer(let code): "Cannot ask on the terminal: \(Errno(code))."
        }
    }
}
