package import SynthSystem

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

    /// A file of an archive that is unpacked cannot be used.
    package static func unpacking(_ failure: FileFailure) -> FetchFailure { .archive(.file(failure)) }

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

/// Why one address did not give the file.
package struct ServerFailure: Sendable, Hashable, Codable {
    package let url: String
    package let host: String
    package let problem: ServerProblem
    /// Whether another try later may succeed.
    package let mayPass: Bool

    package init(url: String, host: String, _ problem: ServerProblem, mayPass: Bool) {
        self.url = url
        self.host = host
        self.problem = problem
        self.mayPass = mayPass
    }
}

/// What a server did wrong.
package enum ServerProblem: Sendable, Hashable, Codable {
    /// What the status of an answer refers to.
    package enum Status: Sendable, Hashable, Codable {
        /// The whole file.
        case file
        /// The part of the file that was requested.
        case range
        /// It may change later. `wait` is what the server asks for, in seconds, if that is too long to wait here.
        case forNow(wait: Double?)
    }

    case status(Int, Status)
    case noHTTP
    case encoding(String)
    case webPage
    case size(found: Int64, expected: Int64)
    /// A part of the file, though the whole was requested.
    case unaskedPart
    /// Another part than was requested.
    case otherPart
    /// More than the bytes of the file.
    case tooMuch(expected: Int64)
    case endless
    /// A redirection to an address that must not be downloaded from.
    case redirect(to: String?)
    case nothingArrives
    case hardlyAnythingArrives
    case endedEarly
    /// No connection, or it was lost; `detail` is the network library's message.
    case connection(code: Int, detail: String)
    /// The name of the server is found nowhere; `hasNetwork` = this machine has a way to other networks.
    case nameNotFound(hasNetwork: Bool)
    /// This system has no list of the authorities whose certificates count, or none that can be read; `detail` is the network
    /// library's message.
    case noAuthorities(detail: String)
    /// This address must not be downloaded from.
    case address
}

/// Why an archive was not unpacked. Names and paths come from the archive and are cut to a length that can be shown.
package enum ArchiveRefusal: Sendable, Hashable, Codable {
    case tooManyEntries(limit: Int)
    /// It holds a member that the registry does not list.
    case unannounced(String)
    case twice(String)
    case fileAndFolder(String)
    /// It unpacks to far more than its size.
    case tooLarge
    case unreadableName
    case longName(bytes: Int)
    case absolutePath(String)
    case link(String)
    /// Neither file nor folder.
    case special(String)
    case leadsOutside(String)
    case tooDeep(limit: Int)
    /// No name for a file, such as one with a line break.
    case badName(String)
    case noName
    /// `detail` is libarchive's message.
    case damaged(detail: String?)
    case noMemory
    case file(FileFailure)
}
