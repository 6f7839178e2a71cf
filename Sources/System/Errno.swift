import Glibc

/// The reason of a failed system call.
package struct Errno: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The reason of the call that failed last on this thread.
    package static var last: Errno { Errno(errno) }

    /// In words, as the C library puts it: "No such file or directory".
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }

    /// The result of a system call that says -1 on failure, called again as long as a signal interrupts it.
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
