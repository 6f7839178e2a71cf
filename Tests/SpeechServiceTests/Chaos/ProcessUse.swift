import SynthSystem
import TestSupport

/// A process's resource use.
struct ProcessUse: CustomStringConvertible {
    private(set) var descriptors: Int
    private(set) var threads: Int
    /// The resident memory in bytes.
    private(set) var memory: Int
    private(set) var children: Int

    init(of process: Int32) {
        descriptors = FolderListing.names(in: "/proc/\(process)/fd").count
        threads = FolderListing.names(in: "/proc/\(process)/task").count
        let status = (try? readWholeFile("/proc/\(process)/status", limit: 1 << 16)) ?? []
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        memory = (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        children = ProcessTable.children(of: process).count
    }

    var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(memory >> 10) kB, \(children) children"
    }

    /// Returns the higher of the two values for each resource.
    func raised(to other: ProcessUse) -> ProcessUse {
        var most = self
        most.descriptors = max(descriptors, other.descriptors)
        most.threads = max(threads, other.threads)
        most.memory = max(memory, other.memory)
        most.children = max(children, other.children)
        return most
    }

    /// Whether resource use has not grown, except for memory that an allocator retains.
    func isAtMost(_ other: ProcessUse, memory more: Int) -> Bool {
        descriptors <= other.descriptors && threads <= other.threads && children <= other.children
            && memory <= other.memory + more
    }
}
