import Glibc

/// A call to the system that did not do what it was asked.
package struct FileFailure: Error, Sendable, Hashable {
    /// `errno`.
    package let code: Int32
    package let call: String
    package let path: String

    package init(code: Int32, call: String, path: String) {
        self.code = code
        self.call = call
        self.path = path
    }

    /// "No space left on device".
    package var reason: String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
