import Glibc

/// The error number of a failed system call.
package struct Errno: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The error of the last failed call on this thread.
    package static var last: Errno { Errno(errno) }

    /// The message of the C library: "No such file or directory".
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }

    /// The result of a system call that returns -1 on failure. The call is repeated if a signal interrupts it.
    @discardableResult
    package static func check<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            let reason = Errno.last
            if reason != .interrupted { throw reason }
        }
    }
}
