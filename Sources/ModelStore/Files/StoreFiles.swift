import Glibc
package import System

/// The system calls that the store makes on files. Each call may be interrupted, and a write may be short; the
/// extension handles both, so that a test double can make any call fail. Calls that change something below the store's
/// root follow no link; see `SystemFiles`.
package protocol StoreFiles: Sendable {
    func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32
    func close(_ descriptor: Int32)
    /// - Returns: the number of bytes; 0 = the end.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String) throws(FileFailure)
        -> Int
    /// - Returns: how many bytes were written; at least one unless `buffer` is empty.
    func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure) -> Int
    func truncate(_ descriptor: Int32, of path: String) throws(FileFailure)
    func sync(_ descriptor: Int32, of path: String) throws(FileFailure)
    /// - Returns: `false` if another process has the lock; only without `waiting`.
    func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool
    /// Lets go of it, whoever has a copy of the descriptor.
    func unlock(_ descriptor: Int32)
    func rename(_ path: String, to other: String) throws(FileFailure)
    func removeFile(_ path: String) throws(FileFailure)
    func removeFolder(_ path: String) throws(FileFailure)
    func makeFolder(_ path: String) throws(FileFailure)
    /// Names without `.` and `..`, in no order.
    func names(in folder: String) throws(FileFailure) -> [String]
    /// The status of the path itself, or of the target of a link.
    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus
    /// The free space for ordinary users on the file system of `path`, in bytes.
    func freeBytes(at path: String) throws(FileFailure) -> Int64
    /// Sets the time of the last change to now.
    func touch(_ path: String) throws(FileFailure)
}

/// What a file is opened for. Only `given` follows a link at the end of the path.
package enum OpenPurpose: Sendable {
    case reading
    /// To read a file that the user named; links are followed.
    case given
    /// Created, must not exist.
    case creating
    /// Created or emptied.
    case replacing
    /// Created or kept, to be locked.
    case locking
    /// A folder, to be synced.
    case syncing

    /// Whether it may create or change the file.
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

/// What the store needs to know about a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable {
        case regular, folder, link, other
    }

    package let kind: Kind
    /// In bytes.
    package let size: Int64
    /// In seconds since 1970.
    package let modified: Int64
}
