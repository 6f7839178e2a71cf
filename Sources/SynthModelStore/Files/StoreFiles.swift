import Glibc
package import SynthSystem

/// The store's file system calls. Calls may be interrupted, and writes may be short. An extension of this protocol
/// handles both cases, so that a test double can make any call fail. Calls that change files below the store's root do
/// not follow links; see `SystemFiles`.
package protocol StoreFiles: Sendable {
    func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32
    func close(_ descriptor: Int32)
    /// - Returns: the number of bytes; 0 at end of file.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String) throws(FileFailure)
        -> Int
    /// - Returns: the number of bytes written; at least 1 unless `buffer` is empty.
    func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure) -> Int
    func truncate(_ descriptor: Int32, of path: String) throws(FileFailure)
    func sync(_ descriptor: Int32, of path: String) throws(FileFailure)
    /// - Returns: false if another process holds the lock and `waiting` is false.
    func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool
    /// Releases the lock, even if another process has a duplicate of the descriptor.
    func unlock(_ descriptor: Int32)
    func rename(_ path: String, to other: String) throws(FileFailure)
    func removeFile(_ path: String) throws(FileFailure)
    func removeFolder(_ path: String) throws(FileFailure)
    func makeFolder(_ path: String) throws(FileFailure)
    /// The names in a folder, without `.` and `..`, in no particular order.
    func names(in folder: String) throws(FileFailure) -> [String]
    /// The status of the path itself or, if links are followed, of its target.
    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus
    /// The space available to unprivileged users on the file system of `path`, in bytes.
    func freeBytes(at path: String) throws(FileFailure) -> Int64
    /// Sets the modification time to now.
    func touch(_ path: String) throws(FileFailure)
}

/// The purpose for which a file is opened. Only `given` follows a link at the end of the path.
package enum OpenPurpose: Sendable {
    case reading
    /// Reading a file that the user specified; links are followed.
    case given
    /// Creating a file that must not exist yet.
    case creating
    case replacing
    /// Creating a file, or opening an existing file, to lock it.
    case locking
    case syncing

    /// Whether opening may create or change the file.
    var changes: Bool {
        switch self {
        case .reading, .given, .syncing: false
        case .creating, .replacing, .locking: true
        }
    }

    var flags: Int32 {
        let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return switch self {
        case .reading: common | O_RDONLY
        case .given: O_CLOEXEC | O_NONBLOCK | O_RDONLY
        case .creating: common | O_WRONLY | O_CREAT | O_EXCL
        case .replacing: common | O_WRONLY | O_CREAT | O_TRUNC
        case .locking: common | O_RDWR | O_CREAT
        case .syncing: common | O_RDONLY | O_DIRECTORY
        }
    }
}

/// The file properties that the store needs.
package struct FileStatus: Sendable, Equatable {
    /// The type of a file.
    package enum Kind: Sendable {
        case regular, folder, link, other
    }

    package let kind: Kind
    /// The size in bytes.
    package let size: Int64
    /// The modification time in seconds since 1970.
    package let modified: Int64
}

extension StoreFiles {
    /// The status of the path itself, not of a link's target.
    package func status(of path: String) throws(FileFailure) -> FileStatus {
        try status(of: path, followingLinks: false)
    }

    /// The type of a file; nil if the path does not exist.
    package func kind(of path: String) -> FileStatus.Kind? { (try? status(of: path))?.kind }

    /// Reads until the buffer is full or the file ends.
    package func readFully(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String
    ) throws(FileFailure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try repeating { () throws(FileFailure) in try read(descriptor, into: rest, of: path) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    package func writeFully(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure)
    {
        var written = 0
        while written < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
            written += try repeating { () throws(FileFailure) in try write(descriptor, rest, of: path) }
        }
    }

    func writeFully(_ descriptor: Int32, _ bytes: [UInt8], of path: String) throws(FileFailure) {
        try bytes.span.withUnsafeBytes { (bytes) throws(FileFailure) in try writeFully(descriptor, bytes, of: path) }
    }

    package func syncFully(_ descriptor: Int32, of path: String) throws(FileFailure) {
        try repeating { () throws(FileFailure) in try sync(descriptor, of: path) }
    }

    package func openFully(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32 {
        try repeating { () throws(FileFailure) in try open(path, for: purpose) }
    }

    /// Makes a call, and repeats it whenever a signal interrupts it.
    func repeating<Result>(_ call: () throws(FileFailure) -> Result) throws(FileFailure) -> Result {
        while true {
            do { return try call() } catch  where error.reason == .interrupted { continue }
        }
    }

    func contents(of path: String, limit: Int) throws(FileFailure) -> [UInt8] {
        let descriptor = try openFully(path, for: .reading)
        defer { close(descriptor) }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        var contents: [UInt8] = []
        while true {
            let count = try readFully(descriptor, into: chunk, of: path)
            contents += chunk[..<count]
            if count < chunk.count { return contents }
            if contents.count > limit { throw FileFailure(.fileTooLarge, call: "read", path: path) }
        }
    }

    /// Replaces the contents of `path` atomically: after a crash, the file has either the old or the new contents.
    func replace(_ path: String, with contents: [UInt8]) throws(FileFailure) {
        let part = path + StoreLayout.partSuffix
        do {
            try write(contents, toNew: part)
            try rename(part, to: path)
        } catch {
            try? removeFile(part)
            throw error
        }
        try syncFolder(LinkTarget.folder(of: path))
    }

    private func write(_ contents: [UInt8], toNew part: String) throws(FileFailure) {
        let descriptor = try openFully(part, for: .replacing)
        do {
            try writeFully(descriptor, contents, of: part)
            try syncFully(descriptor, of: part)
        } catch {
            close(descriptor)
            throw error
        }
        close(descriptor)
    }

    /// Flushes directory changes in the folder `path` to disk.
    package func syncFolder(_ path: String) throws(FileFailure) {
        let descriptor = try openFully(path, for: .syncing)
        defer { close(descriptor) }
        do {
            try syncFully(descriptor, of: path)
        } catch  where error.reason == .invalid || error.reason == .notSupported {
            return  // Some network file systems cannot sync a folder.
        }
    }

    func syncFile(_ path: String) throws(FileFailure) {
        let descriptor = try openFully(path, for: .reading)
        defer { close(descriptor) }
        try syncFully(descriptor, of: path)
    }

    func makeFolders(_ path: String) throws(FileFailure) {
        do {
            try makeFolder(path)
        } catch  where error.reason == .exists {
            return
        } catch  where error.reason == .notFound && path != "/" && !path.isEmpty {
            try makeFolders(LinkTarget.folder(of: path))
            do { try makeFolder(path) } catch  where error.reason == .exists { return }
        }
    }

    /// Removes a file, a link, or a folder with all its contents. Succeeds if the path does not exist. A link's target is not
    /// touched. All of the store's deletions use this function.
    package func removeAll(_ path: String) throws(FileFailure) {
        do {
            try removeFile(path)
        } catch  where error.reason == .notFound || error.reason == .notFolder {
            return
        } catch  where error.reason == .isFolder || error.reason == .notPermitted {
            for name in try names(in: path) { try removeAll(path.child(name)) }
            do { try removeFolder(path) } catch  where error.reason == .notFound { return }
        }
    }

    /// The size of all files below `path`, excluding the store's records, locks and tags. Unreadable files are not
    /// counted.
    func contentBytes(below path: String) -> Int64 {
        guard let status = try? status(of: path) else { return 0 }
        guard status.kind == .folder else { return status.kind == .regular ? status.size : 0 }
        let notes = [StoreLayout.recordName, StoreLayout.lockName]
        let names = ((try? names(in: path)) ?? []).filter {
            !notes.contains($0) && !$0.hasSuffix(StoreLayout.tagSuffix)
        }
        return names.reduce(0) { $0 + contentBytes(below: path.child($1)) }
    }
}
