import Glibc

/// What a file is opened for. None follows a link at the end of the path.
package enum OpenPurpose: Sendable {
    case reading
    /// Created, must not exist.
    case creating
    /// Created or emptied.
    case replacing
    /// Created or kept, to be locked.
    case locking
    /// A folder, to be synced.
    case syncing

    var flags: Int32 {
        let common = O_CLOEXEC | O_NOFOLLOW
        return switch self {
        case .reading: common | O_RDONLY
        case .creating: common | O_WRONLY | O_CREAT | O_EXCL
        case .replacing: common | O_WRONLY | O_CREAT | O_TRUNC
        case .locking: common | O_RDWR | O_CREAT
        case .syncing: common | O_RDONLY | O_DIRECTORY
        }
    }
}
