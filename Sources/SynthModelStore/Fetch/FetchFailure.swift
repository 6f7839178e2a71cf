package import SynthSystem

/// Why a `synthhost-fetch` job failed.
package enum FetchFailure: Error, Sendable, Hashable, Codable {
    /// None of the URLs provided the file. Contains one failure per URL, in request order.
    case servers([ServerFailure])
    case offline
    /// The URL of the user's mirror cannot be used for downloads.
    case mirror(String)
    /// The partial file could not be written; `missing` bytes remain to be written.
    case part(FileFailure, missing: Int64)
    case archive(ArchiveRefusal)
    case cancelled
    /// The fetch program could not be started, or violated the protocol.
    case program(path: String, ProgramProblem)
    /// The fetch program exited before its job was done.
    case died
    case crashed(signal: Int32)
    /// The fetch program reported nothing for too long.
    case silent

    /// A file error that occurred while an archive was being unpacked.
    package static func unpacking(_ failure: FileFailure) -> FetchFailure { .archive(.file(failure)) }

    /// A failure of the fetch program.
    package enum ProgramProblem: Sendable, Hashable, Codable {
        case notStarted(Errno)
        case endedBeforeItBegan
        case notUnderstood
    }

    /// The categories of failures that callers must distinguish.
    package enum Kind: Sendable {
        /// No server could be reached, or the transfer was interrupted; retrying later may succeed.
        case network
        /// A server rejected the request permanently, or sent unexpected data.
        case refused
        case offline, mirror, diskFull, file
        case fileLimit
        /// The archive is malicious, or does not match the registry.
        case archive
        case cancelled, program, crash
    }

    package var kind: Kind {
        switch self {
        // If a later request to one of the servers may succeed, a retry is worthwhile.
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

/// A URL that did not provide the file, with the reason.
package struct ServerFailure: Sendable, Hashable, Codable {
    package let url: String
    package let host: String
    package let problem: ServerProblem
    /// Whether retrying later may succeed.
    package let mayPass: Bool

    package init(url: String, host: String, _ problem: ServerProblem, mayPass: Bool) {
        self.url = url
        self.host = host
        self.problem = problem
        self.mayPass = mayPass
    }
}

/// Why a server did not provide the file.
package enum ServerProblem: Sendable, Hashable, Codable {
    /// The scope of an unexpected HTTP status.
    package enum Status: Sendable, Hashable, Codable {
        /// The entire file is unavailable.
        case file
        /// The requested byte range is unavailable.
        case range
        /// A temporary status. If the server requested a delay that is too long to wait for, `wait` is that delay in
        /// seconds.
        case forNow(wait: Double?)
    }

    case status(Int, Status)
    case noHTTP
    case encoding(String)
    case webPage
    case size(found: Int64, expected: Int64)
    /// The server sent a range although the entire file was requested.
    case unaskedPart
    case otherPart
    /// The server sent more bytes than the file has.
    case tooMuch(expected: Int64)
    case endless
    /// A redirect to a URL that is not allowed for downloads.
    case redirect(to: String?)
    case nothingArrives
    case hardlyAnythingArrives
    case endedEarly
    /// The connection failed or was lost; `detail` is the network library's message.
    case connection(code: Int, detail: String)
    /// The host name cannot be resolved. `hasNetwork` is true if this machine has a route to other networks.
    case nameNotFound(hasNetwork: Bool)
    /// The system has no readable list of certificate authorities; `detail` is the network library's message.
    case noAuthorities(detail: String)
    case address
}

/// Why an archive was not unpacked. Names and paths are taken from the archive and truncated for display.
package enum ArchiveRefusal: Sendable, Hashable, Codable {
    case tooManyEntries(limit: Int)
    /// A member that the registry does not list.
    case unannounced(String)
    case twice(String)
    case fileAndFolder(String)
    /// The unpacked size is far larger than the archive.
    case tooLarge
    case unreadableName
    case longName(bytes: Int)
    case absolutePath(String)
    case link(String)
    /// The member is neither a file nor a folder.
    case special(String)
    case leadsOutside(String)
    case tooDeep(limit: Int)
    /// A name that is not allowed, for example because it contains a line break.
    case badName(String)
    case noName
    /// `detail` is libarchive's message.
    case damaged(detail: String?)
    case noMemory
    case file(FileFailure)
}
