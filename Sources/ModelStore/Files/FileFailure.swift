package import System

/// A system call that failed.
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
