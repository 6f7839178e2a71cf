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
