package import System

/// Why `synthhost-fetch` did not do its job.
package enum FetchFailure: Error, Sendable, Hashable, Codable {
    /// No address gave the file; one failure for each, in the order in which they were asked.
    case servers([ServerFailure])
    case offline
    /// The mirror that the user set is not an address to download from.
    case mirror(String)
    /// The part file could not be written; `missing` bytes remain.
    case part(FileFailure, missing: Int64)
    case archive(ArchiveRefusal)
    case cancelled
    /// The fetch program could not be started or does not follow the protocol.
    case program(path: String, ProgramProblem)
    /// The fetch program ended before its job was done.
    case died
    /// The fetch program crashed, more than once.
    case crashed(signal: Int32)
    /// The fetch program reported nothing for too long.
    case silent

    package enum ProgramProblem: Sendable, Hashable, Codable {
        case notStarted(Errno)
        case endedBeforeItBegan
        case notUnderstood
    }

    package enum Kind: Sendable {
        /// No server could be reached, or none sent the rest; worth another try later.
        case network
        /// A server refused for good, or sent something else.
        case refused
        case offline, mirror, diskFull, file
        /// The user's limit on the size of files.
        case fileLimit
        /// Not what the registry lists, or harmful.
        case archive
        case cancelled, program, crash
    }

    package var kind: Kind {
        switch self {
        // If one of them may succeed later, another try is worth it.
        case .servers(let failures): failures.contains(where: \.mayPass) ? .network : .refused
        case .offline: .offline
        case .mirror: .mirror
        case .part(let failure, _): Kind(failure.reason)
        case .archive(.file(let failure)): Kind(failure.reason)
        case .archive: .archive
        case .cancelled: .cancelled
        case .program, .died: .program
        case .crashed: .crash
        case .silent: .network
        }
    }
}

extension FetchFailure.Kind {
    fileprivate init(_ reason: Errno) {
        switch reason {
        case .noSpace, .quotaExceeded: self = .diskFull
        case .fileTooLarge: self = .fileLimit
        default: self = .file
        }
    }
}
