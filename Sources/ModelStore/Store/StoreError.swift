import Glibc
import System

/// Why the store could not do what it was asked, and what to type next.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// The network, a server, or a lock; the same again may work.
        case tryAgain
        /// A server said no for good.
        case refused
        /// No network by the user's own wish.
        case offline
        case diskFull
        /// What was downloaded is not what the registry says.
        case wrongContent
        /// The disk, or a permission.
        case file
        case cancelled
        /// Nothing of that name is in the store, or cannot be added.
        case unknown
    }

    package let kind: Kind
    /// One sentence: what happened.
    package let reason: String
    /// One sentence: what to type next.
    package let remedy: String

    package init(_ kind: Kind, _ reason: String, remedy: String) {
        self.kind = kind
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String { "\(reason) \(remedy)" }
}

extension StoreError {
    static let cancelled = StoreError(
        .cancelled, "The download was stopped; what arrived is kept.", remedy: "Run the same command to go on.")

    static func pullRemedy(_ id: String) -> String { "Run: synthhost models pull \(id)" }
}

extension FileFailure {
    /// The failure in the words of the store.
    var asStoreError: StoreError {
        switch code {
        case ENOSPC, EDQUOT:
            StoreError(
                .diskFull, "The disk is full: \(path) could not be written.",
                remedy: "Free some space (synthhost models prune), then run the same command.")
        case EFBIG where call != "read":
            StoreError(
                .file, "\(path) could not be written: no file may grow so large here.",
                remedy: "Lift the limit (ulimit -f unlimited), then run the same command.")
        case EACCES, EPERM, EROFS:
            StoreError(
                .file, "\(path) is not yours to change: \(reason).",
                remedy: "Look at its permissions: ls -ld \(ShellWord.quoted(path))")
        case ELOOP:
            StoreError(
                .file, "\(path) is a link, and synthhost changes nothing through a link.",
                remedy: "Put what it points to in its place, or remove the link: rm \(ShellWord.quoted(path))")
        case ENOTDIR:
            StoreError(
                .file, "\(path) is no folder, and one is needed there.",
                remedy: "Move it away: mv \(ShellWord.quoted(path)) ~")
        case ENXIO, EISDIR:
            StoreError(
                .file, "\(path) is no ordinary file but a folder, a pipe, a socket or a device.",
                remedy: "Put a file in its place, or move it away.")
        default:
            StoreError(
                .file, "\(path): \(call) failed: \(reason).",
                remedy: "Run the same command; if it stays, look at dmesg.")
        }
    }
}
