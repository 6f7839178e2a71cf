import Glibc

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
