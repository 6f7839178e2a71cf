import SynthHost

extension WebProblem {
    init(_ problem: LibraryProblem) {
        switch problem {
        case .speech(let failure): self = .speech(failure)
        case .notReady(let title, let key): self = .notDownloaded(title: title, key: key)
        default: self = .library(problem)
        }
    }
}

extension LibraryProblem {
    var status: HTTPStatus {
        switch self {
        case .unknown: .notFound
        case .builtIn, .notHere, .downloading, .speaking, .notReady: .conflict
        case .notDownloaded(let problem, _), .notRemoved(let problem, _): problem.status
        case .configuration: .internalServerError
        case .speech(let failure): failure.status
        }
    }

    /// A word for programs.
    var webCode: String {
        switch self {
        case .unknown: "unknown_voice"
        case .builtIn: "voice_built_in"
        case .notHere, .notReady: "voice_not_downloaded"
        case .downloading, .speaking, .notRemoved(.busy, _): "voice_in_use"
        case .notDownloaded: "download_failed"
        case .notRemoved: "not_removed"
        case .configuration: "not_saved"
        case .speech(let failure): failure.webCode
        }
    }
}

extension VoiceDownloadProblem {
    fileprivate var status: HTTPStatus {
        switch self {
        case .busy: .conflict
        case .diskFull: .insufficientStorage
        default: .internalServerError
        }
    }
}
