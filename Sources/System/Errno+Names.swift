import Glibc

extension Errno {
    package static let brokenPipe = Errno(EPIPE)
    package static let crossesLinks = Errno(ELOOP)
    package static let exists = Errno(EEXIST)
    package static let fileTooLarge = Errno(EFBIG)
    package static let interrupted = Errno(EINTR)
    package static let invalid = Errno(EINVAL)
    package static let isFolder = Errno(EISDIR)
    package static let noAccess = Errno(EACCES)
    package static let noAttribute = Errno(ENODATA)
    package static let noSpace = Errno(ENOSPC)
    package static let notEmpty = Errno(ENOTEMPTY)
    package static let notFolder = Errno(ENOTDIR)
    package static let notFound = Errno(ENOENT)
    package static let notOrdinaryFile = Errno(ENXIO)
    package static let notPermitted = Errno(EPERM)
    package static let notSupported = Errno(ENOTSUP)
    package static let noSuchProcess = Errno(ESRCH)
    package static let quotaExceeded = Errno(EDQUOT)
    package static let readOnly = Errno(EROFS)
    package static let wouldBlock = Errno(EWOULDBLOCK)
}
