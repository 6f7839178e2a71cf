package import Documents
import EngineProcesses
import System

extension DocumentFailure {
    /// What is wrong with a document, in a sentence.
    ///
    /// - Parameter file: its name.
    package func message(of file: String) -> String {
        switch self {
        case .encrypted: "\(file) is encrypted, so nobody but the program that it was sold for can read it."
        case .unknownFormat: "\(file) is no EPUB, no PDF, no HTML and no text."
        case .damaged(let what): "\(file) cannot be read: it \(what)."
        case .tooLarge: "\(file) is larger than a document may be."
        case .empty: "There is nothing to read in \(file)."
        case .program(.notStarted(let code)): "synthhost-read did not start: \(Errno(code))."
        case .program(.crashed(let signal)):
            "What reads documents crashed (\(signalName(signal))) while it read \(file)."
        case .program(.silent): "What reads documents hung while it read \(file)."
        case .program(.died): "What reads documents ended in the middle of \(file)."
        }
    }

    /// What to do about it, in a sentence.
    package var remedy: String {
        switch self {
        case .encrypted: "Use a copy without digital rights management."
        case .unknownFormat: "Convert it to one of these first."
        case .damaged: "Download it again, or open it in another program and save it anew."
        case .tooLarge: "Take its chapters out and speak them one by one."
        case .empty: "A book of scanned pages has pictures only, and a page may be too deeply nested to be read."
        case .program: "`synthhost doctor` shows what is missing; please report the document if that does not help."
        }
    }
}
