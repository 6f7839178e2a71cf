import System
import Terminal

extension PromptError {
    /// What happened, in one sentence.
    var message: String {
        switch self {
        case .interrupted: "Interrupted."
        case .failed(let code): "The terminal cannot be used for a question: \(Errno(code))."
        }
    }

    /// What to do next, in one sentence.
    var remedy: String {
        "Run the command again and give the answer as an option."
    }
}
