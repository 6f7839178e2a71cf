import ModelStore
import System

extension FileFailure {
    /// One sentence: what happened.
    var message: String {
        switch reason {
        case .noSpace, .quotaExceeded: "The disk is full: \(path) could not be written."
        case .fileTooLarge where call != "read": "\(path) could not be written: no file may grow so large here."
        case .noAccess, .notPermitted, .readOnly: "\(path) is not yours to change: \(reason)."
        case .crossesLinks: "\(path) is a link, and synthhost changes nothing through a link."
        case .notFolder: "\(path) is no folder, and one is needed there."
        case .notOrdinaryFile, .isFolder: "\(path) is no ordinary file but a folder, a pipe, a socket or a device."
        default: "\(path): \(call) failed: \(reason)."
        }
    }

    /// One sentence: what to type next.
    var remedy: String {
        let quoted = ShellWord.quoted(path)
        return switch reason {
        case .noSpace, .quotaExceeded: "Free some space (synthhost models prune), then run the same command."
        case .fileTooLarge where call != "read": "Lift the limit (ulimit -f unlimited), then run the same command."
        case .noAccess, .notPermitted, .readOnly: "Look at its permissions: ls -ld \(quoted)"
        case .crossesLinks: "Put what it points to in its place, or remove the link: rm \(quoted)"
        case .notFolder: "Move it away: mv \(quoted) ~"
        case .notOrdinaryFile, .isFolder: "Put a file in its place, or move it away."
        default: "Run the same command; if it stays, look at dmesg."
        }
    }
}
