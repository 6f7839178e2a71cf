import Glibc
import SynthCatalogue
package import SynthSystem

extension FetchFailure: ErrorCause {
    package var code: SpeechError.Code {
        switch kind {
        case .network, .crash: .networkFailed
        case .refused, .mirror: .serverRefused
        case .offline: .offline
        case .diskFull: .diskFull
        case .file: .storeFailed
        case .fileLimit: .fileTooLarge
        case .archive: .contentInvalid
        case .cancelled: .cancelled
        case .program: .downloaderFailed
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .servers(let failures): .init(reason: words, status: failures.compactMap(\.status).last)
        case .mirror(let address): .init(name: address)
        case .part(let failure, let missing):
            .init(path: failure.path, reason: "\(failure.reason)", errno: failure.reason.code, bytes: missing)
        case .archive(let refusal): .init(reason: refusal.words)
        case .program(let path, _): .init(path: path)
        case .crashed(let signal): .init(signal: signal)
        case .offline, .cancelled, .died, .silent: .init()
        }
    }

    package var message: String { "The download failed: \(words)." }

    /// The message, as a clause: "the server returned 404 for https://…".
    package var words: String {
        switch self {
        case .servers(let failures) where failures.isEmpty: "the registry has no download URL"
        case .servers(let failures): Self.words(of: failures)
        case .offline: "network access is turned off"
        case .mirror(let address): "the mirror \(WebAddress.refusal(of: address) ?? "\"\(address)\" cannot be used")"
        case .part(let failure, let missing):
            switch failure.reason {
            case .noSpace, .quotaExceeded: "the disk is full, and \(missing) more bytes are needed"
            case .fileTooLarge: "the file size limit has been reached, and \(missing) more bytes are needed"
            default: "\(failure.path): \(failure.reason)"
            }
        case .archive(let refusal): refusal.words
        case .cancelled: "stopped"
        case .program(let path, .notStarted(let reason)): "\(path) could not be started: \(reason)"
        case .program(let path, .endedBeforeItBegan): "\(path) exited before it started the download"
        case .program(let path, .notUnderstood): "\(path) sent an unknown message"
        case .died: "synthhost-fetch exited during the download"
        case .crashed(let signal):
            "the download program, synthhost-fetch, crashed repeatedly (\(Self.name(ofSignal: signal)))"
        case .silent: "no data was received"
        }
    }

    /// If there are several servers (a mirror and the original), the message names each server.
    private static func words(of failures: [ServerFailure]) -> String {
        failures.map { failure in
            let words = failure.words
            return failures.count == 1 || words.contains(failure.host) ? words : "\(words) (\(failure.host))"
        }.joined(separator: ", and ")
    }

    private static func name(ofSignal signal: Int32) -> String {
        strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
    }

    /// Whether a server is rate-limiting the requests.
    package var isTooManyRequests: Bool {
        guard case .servers(let failures) = self else { return false }
        return failures.contains { failure in
            if case .status(429, _) = failure.problem { true } else { false }
        }
    }
}

extension ServerFailure {
    fileprivate var status: Int? { if case .status(let status, _) = problem { status } else { nil } }

    /// The message, as a clause: "the server returned 404 for https://…".
    package var words: String {
        switch problem {
        case .status(let status, .file): "the server returned \(status) for \(url)"
        case .status(let status, .range): "the server returned \(status) in response to a request for part of the file"
        case .status(let status, .forNow(wait: nil)): "the server returned \(status)"
        case .status(let status, .forNow(let wait?)):
            "the server returned \(status) and asked clients to wait \(Self.words(ofWait: wait))"
        case .noHTTP: "the server does not speak HTTP"
        case .encoding(let name): "the server sent the file encoded as \(name), which was not requested"
        case .webPage: "\(url) returned a web page instead of the file"
        case .size(let found, let expected): "the file on the server has \(found) bytes instead of \(expected)"
        case .unaskedPart: "the server sent part of the file although the complete file was requested"
        case .otherPart: "the server sent a part of the file that was not requested"
        case .tooMuch(let expected): "the server sent more than the expected \(expected) bytes"
        case .endless: "the server redirected too many times"
        case .redirect(let target?)
        where WebAddress.refusal(of: target) == nil && WebAddress.isOfOtherPort(target, than: url):
            "the server redirected to \"\(target)\", but a download may use only the port of its URL or the HTTPS port"
        case .redirect(let target): "the server redirected to \"\(target ?? "nowhere")\", which is not safe"
        case .nothingArrives: "no data was received"
        case .hardlyAnythingArrives: "the transfer was too slow"
        case .endedEarly: "the server closed the connection before the end of the file"
        case .connection(_, let detail): detail
        case .nameNotFound(hasNetwork: true): "the server \(host) cannot be found"
        case .nameNotFound(hasNetwork: false): "this machine has no network connection"
        case .noAuthorities(let detail):
            "this system has no CA certificates to verify servers; they are in the ca-certificates package (\(detail))"
        case .address: WebAddress.refusal(of: url) ?? "\"\(url)\" is not a web URL"
        }
    }

    private static func words(ofWait seconds: Double) -> String {
        seconds < 86_400 ? "\(Int(seconds)) s" : "more than a day"
    }
}

extension ArchiveRefusal {
    /// The message, as a clause: "it contains a name that cannot be read".
    package var words: String {
        switch self {
        case .tooManyEntries(let limit): "it has more than \(limit) entries"
        case .unannounced(let path): "it contains \"\(path)\", which the registry does not list"
        case .twice(let path): "it contains \"\(path)\" twice"
        case .fileAndFolder(let path): "it contains \"\(path)\" both as a file and as a folder"
        case .tooLarge: "its unpacked content is far larger than expected"
        case .unreadableName: "it contains a name that cannot be read"
        case .longName(let bytes): "it contains a name that is too long (\(bytes) bytes)"
        case .absolutePath(let path): "it contains the absolute path \"\(path)\""
        case .link(let path): "it contains the link \"\(path)\", which is not allowed"
        case .special(let path): "it contains \"\(path)\", which is neither a file nor a folder"
        case .leadsOutside(let path): "it contains the path \"\(path)\", which points outside the archive"
        case .tooDeep(let limit): "it contains folders nested more than \(limit) levels deep"
        case .badName(let name): "it contains the name \"\(name)\", which is not allowed"
        case .noName: "it contains a file without a name"
        case .damaged(let detail): "it is damaged or not an archive (\(detail ?? "it cannot be read"))"
        case .noMemory: "there is not enough memory to unpack it"
        case .file(let failure): "\(failure.reason)"
        }
    }
}
