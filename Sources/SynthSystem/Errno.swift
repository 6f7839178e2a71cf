import Glibc

/// The error number of a failed system call.
package struct Errno: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The error of the last failed call on this thread.
    package static var last: Errno { Errno(errno) }

    /// The C library's message, such as "No such file or directory".
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }

    /// Makes a system call that returns -1 on failure, and returns its result. The call is repeated if a signal
    /// interrupts it.
    @discardableResult
    package static func check<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            let reason = Errno.last
            if reason != .interrupted { throw reason }
        }
    }

    /// Fails with `ENOENT` if the path contains a NUL, because C functions would ignore everything after the NUL and
    /// use a different file.
    package static func checkName(_ path: String) throws(Errno) {
        if path.utf8.contains(0) { throw .notFound }
    }
}

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
    package static let quotaExceeded = Errno(EDQUOT)
    package static let readOnly = Errno(EROFS)
    package static let wouldBlock = Errno(EWOULDBLOCK)
}

/// The error of a failed system call, with the path that was passed to it.
package struct FileFailure: Error, Sendable, Hashable, Codable {
    package let reason: Errno
    package let call: String
    package let path: String

    package init(_ reason: Errno, call: String, path: String) {
        self.reason = reason
        self.call = call
        self.path = path
    }
}

/// Evaluates an expression and converts any error that it throws to another layer's error type:
///
///     try rethrowing(files.syncFolder(folder), as: FetchFailure.unpacking)
///
/// is short for
///
///     do {
///         try files.syncFolder(folder)
///     } catch {
///         throw FetchFailure.unpacking(error)
///     }
///
/// If several statements throw the same error, use the long form.
///
/// - Parameter outer: converts the inner error.
@inlinable
package func rethrowing<Value, Inner, Outer: Error>(
    _ value: @autoclosure () throws(Inner) -> Value, as outer: (Inner) -> Outer
) throws(Outer) -> Value {
    do { return try value() } catch { throw outer(error) }
}

/// Returns the name of a signal, such as "SIGSEGV", or its number if it has no common name.
package func signalName(_ signal: Int32) -> String {
    switch signal {
    case SIGSEGV: "SIGSEGV"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGILL: "SIGILL"
    case SIGFPE: "SIGFPE"
    case SIGTRAP: "SIGTRAP"
    case SIGKILL: "SIGKILL"
    case SIGTERM: "SIGTERM"
    case SIGPIPE: "SIGPIPE"
    case SIGSYS: "SIGSYS"
    default: "signal \(signal)"
    }
}
