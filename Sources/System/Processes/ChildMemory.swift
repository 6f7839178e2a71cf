import Glibc

/// The memory of the programs that this one started.
package enum ChildMemory {
    /// Bytes that they have in memory now, from /proc; 0 if it does not tell.
    package static func resident() -> UInt64 {
        var pages: UInt64 = 0
        for thread in FolderListing.names(in: "/proc/self/task") {
            for child in text("/proc/self/task/\(thread)/children").split(separator: " ") {
                let fields = text("/proc/\(child)/statm").split(separator: " ")
                if fields.count > 1, let resident = UInt64(fields[1]) { pages += resident }
            }
        }
        return pages * UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
    }

    private static func text(_ path: String) -> String {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return "" }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = (try? file.read(into: buffer)) ?? 0
            return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}
