import VoiceCatalogue
import Glibc
import ModelStore
import System

extension FetchFailure {
    /// Half a sentence: "the server answered 404 for https://…".
    var words: String {
        switch self {
        case .servers(let failures) where failures.isEmpty: "there is no address to download from"
        case .servers(let failures): Self.words(of: failures)
        case .offline: "this is offline"
        case .mirror(let address): "the mirror \(WebAddress.refusal(of: address) ?? "“\(address)” cannot be asked")"
        case .part(let failure, let missing):
            switch failure.reason {
            case .noSpace, .quotaExceeded: "the disk is full, \(missing) more bytes are needed"
            case .fileTooLarge: "no file may grow so large here (ulimit -f), \(missing) more bytes are needed"
            default: "\(failure.path): \(failure.reason)"
            }
        case .archive(let refusal): refusal.words
        case .cancelled: "stopped"
        case .program(let path, .notStarted(let reason)): "\(path) could not be started: \(reason)"
        case .program(let path, .endedBeforeItBegan): "\(path) ended before it began"
        case .program(let path, .notUnderstood): "\(path) said something that is not understood"
        case .died: "synthhost-fetch ended in the middle"
        case .crashed(let signal):
            "the program that downloads, synthhost-fetch, crashed again and again (\(Self.name(ofSignal: signal)))"
        case .silent: "nothing arrived"
        }
    }

    /// Names the servers if there are several: a mirror and the original.
    private static func words(of failures: [ServerFailure]) -> String {
        failures.map { failure in
            let words = failure.words
            return failures.count == 1 || words.contains(failure.host) ? words : "\(words) (\(failure.host))"
        }.joined(separator: ", and ")
    }

    private static func name(ofSignal signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
    }

    /// Whether a server limits the rate of requests.
    var isTooManyRequests: Bool {
        guard case .servers(let failures) = self else { return false }
        return failures.contains { failure in
            if case .status(429, _) = failure.problem { true } else { false }
        }
    }
}
