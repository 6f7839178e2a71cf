import CLinux
import Glibc
import System

/// The memory, threads and descriptors that the process uses.
struct Footprint {
    /// Bytes in physical memory.
    var resident: Int
    /// Bytes of the heap that are in use.
    var heap: Int
    var descriptors: Int
    var threads: Int

    static func now() -> Footprint {
        let pages =
            (try? readWholeFile("/proc/self/statm", limit: 4096))
            .map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        return Footprint(
            resident: (pages.count > 1 ? Int(pages[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))),
            heap: Int(linux_heap_in_use()),
            descriptors: FolderListing.names(in: "/proc/self/fd").count,
            threads: FolderListing.names(in: "/proc/self/task").count)
    }
}
