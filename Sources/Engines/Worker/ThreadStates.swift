import Glibc
import System

enum ThreadStates {
    /// Whether a thread of a process waits for the machine: for a processor that others have, or in the kernel for a page or
    /// a file that is not there yet. From proc(5), `stat`, field 3: R and D.
    static func isHeldUp(_ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/task"
        return FolderListing.names(in: folder).contains { thread in
            guard let bytes = try? readWholeFile("\(folder)/\(thread)/stat", limit: 4096),
                let name = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return false }
            let state = bytes[name...].dropFirst(2).first
            return state == UInt8(ascii: "R") || state == UInt8(ascii: "D")
        }
    }
}
