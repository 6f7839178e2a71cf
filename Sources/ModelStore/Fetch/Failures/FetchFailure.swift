package import System

/// Why `synthhost-fetch` ended without what it was asked for.
package enum FetchFailure: Error, Sendable, Hashable, Codable {
    /// No address gave the file: what each did, in the order in which they were asked.
    case servers([ServerFailure])
    case offline
    /// The user's own setting of a mirror is no address to download from.
    case mirror(String)
    /// The part file could not be written to; so many bytes are missing.
    case part(FileFailure, missing: Int64)
    case archive(ArchiveRefusal)
    case cancelled
    /// The fetch program could not be started, or is not what it should be.
    case program(path: String, ProgramProblem)
    /// The fetch program ended in the middle.
    case died
    /// The fetch program crashed, more than once.
    case crashed(signal: Int32)
    /// The fetch program said nothing for longer than it ever should.
    case silent

    package enum ProgramProblem: Sendable, Hashable, Codable {
        case notStarted(Errno)
        case endedBeforeItBegan
        case notUnderstood
    }

    package enum Kind: Sendable {
        /// No server could be reached, or none went on; worth another try later.
        case network
        /// A server said no for good, or sent something else.
        case refused
        case offline, mirror, diskFull, file
        /// The user's own limit on the size of files.
        case fileLimit
        /// Not what was promised, or harmful.
        case archive
        case cancelled, program, crash
    }

    package var kind: Kind {
        switch self {
        // One of them that may do better later makes it worth another try.
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
