import Glibc

/// Why text could not be written.
package enum OutputError: Error, Equatable, Sendable {
    /// The reader has gone (`synthhost voices | head -1`): end quietly, there is nobody to tell.
    case brokenPipe
    /// Any other failure, with the `errno` of `write(2)`.
    case failed(code: Int32)

    package var message: String {
        switch self {
        case .brokenPipe: "The reader of the output has gone."
        case .failed(EBADF): "The output is closed, so nothing can be written to it."
        case .failed(let code): "The output cannot be written: \(String(cString: strerror(code)))."
        }
    }

    package var remedy: String {
        switch self {
        case .brokenPipe: "Keep the reading program running."
        case .failed(ENOSPC), .failed(EDQUOT): "Free some space and run the command again."
        case .failed(EBADF): "Run the command again without closing it (>&-)."
        case .failed: "Check where the output is redirected to and run the command again."
        }
    }
}
