import Glibc

/// What a process does, as far as anybody has to know.
package enum ProcessState: Sendable {
    /// It runs, or waits for something.
    case running
    /// A signal or a debugger holds it until another signal comes.
    case stopped
    /// It has ended.
    case ended

    /// From /proc; `running` if that tells nothing.
    package init(of process: Int32) {
        // "42 (a name) S 1 …"; the name may have any signs.
        let letter = ProcessFile.text(of: process, "stat").utf8.split(separator: UInt8(ascii: ")")).last?.dropFirst()
            .first
        switch letter {
        case UInt8(ascii: "T"), UInt8(ascii: "t"): self = .stopped
        case UInt8(ascii: "Z"), UInt8(ascii: "X"): self = .ended
        default: self = .running
        }
    }
}

/// What /proc tells of a process.
enum ProcessFile {
    /// The first 4096 bytes; empty if there is none.
    static func text(of process: Int32, _ name: String) -> String { text("/proc/\(process)/\(name)") }

    /// The same by a path.
    static func text(_ path: String) -> String {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return "" }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = (try? file.read(into: buffer)) ?? 0
            return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}

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
