import LocatedJSON
import SpeechServices

extension CommandFailure {
    init(_ failure: PageFailure) {
        switch failure {
        case .missing(let path):
            self.init(.failure, "\(path), a part of the page, is missing.", "Install synthhost again.")
        case .notRead(let path, let reason):
            self.init(.failure, "\(path), a part of the page, cannot be read: \(reason).", "Look at its permissions.")
        case .notJSON(let path, let error):
            self.init(
                .failure, "\(path), line \(error.line), is not JSON: \(error.reason).",
                "Correct it, or install synthhost again.")
        }
    }
}
