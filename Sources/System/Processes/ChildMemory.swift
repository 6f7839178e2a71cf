import Glibc

/// The memory of the programs that this one started.
package enum ChildMemory {
    /// Bytes that they have in memory now, from /proc; 0 if it does not tell.
    package static func resident() -> UInt64 {
        var bytes: UInt64 = 0
        for thread in FolderListing.names(in: "/proc/self/task") {
            for child in ProcessFile.text("/proc/self/task/\(thread)/children").split(separator: " ") {
                bytes += Int32(child).map { resident(of: $0) } ?? 0
            }
        }
        return bytes
    }

    /// Bytes that a process has in memory now; 0 if it has ended.
    package static func resident(of process: Int32) -> UInt64 {
        let fields = ProcessFile.text(of: process, "statm").split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return 0 }
        return pages * UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
    }
}
