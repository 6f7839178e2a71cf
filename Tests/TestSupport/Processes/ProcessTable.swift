import CSynthLinux
import Glibc
import SynthSystem

/// Information about processes, from `/proc`.
package enum ProcessTable {
    /// The children of a process that have neither exited nor been killed.
    package static func children(of parent: Int32) -> [Int32] {
        FolderListing.names(in: "/proc").compactMap { Int32($0) }.filter { process in
            guard let fields = ProcessStat.fields(in: "/proc/\(process)"), fields.count > 1 else { return false }
            return fields[1] == "\(parent)" && fields[0] != "Z" && !isKilled(process)
        }
    }

    /// Whether SIGKILL is pending. If so, the process ends as soon as it gets CPU time.
    private static func isKilled(_ process: Int32) -> Bool {
        guard let lines = text("/proc/\(process)/status")?.split(separator: "\n") else { return true }
        return lines.contains { line in
            guard line.hasPrefix("SigPnd:") || line.hasPrefix("ShdPnd:") else { return false }
            let signals = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
            return signals & 1 << UInt64(SIGKILL - 1) != 0
        }
    }

    /// The peak memory of a process in bytes; `nil` if it has exited. (`wait4` would include its parent's memory.)
    package static func peakMemory(of process: Int32) -> Int? {
        let line = text("/proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first { Int($0) != nil }.flatMap { Int($0) }.map { $0 * 1024 }
    }

    /// Whether the process exits within the limit.
    package static func waitForEnd(of process: Int32, within limit: Duration = .seconds(600)) -> Bool {
        let descriptor = linux_pidfd_open(process)
        guard descriptor >= 0 else { return true }
        let ended = Descriptor(owning: descriptor)
        return (try? Poll.wait([(ended.raw, events: POLLIN)], timeout: limit))?.first ?? 0 != 0
    }

    /// The process's arguments, joined by spaces; empty if it has exited.
    package static func command(of process: Int32) -> String {
        (text("/proc/\(process)/cmdline") ?? "").replacing("\0", with: " ")
    }

    /// The processes whose arguments contain a string.
    package static func processes(naming text: String) -> [Int32] {
        FolderListing.names(in: "/proc").compactMap { Int32($0) }.filter { command(of: $0).contains(text) }
    }

    /// The total size of the unnamed files that the process is writing inside a folder.
    ///
    /// The search is limited to a folder, because a program that is being started still has descriptors inherited from the
    /// tests.
    package static func unnamedBytes(of process: Int32, below folder: String) -> Int {
        guard let folder = LinkTarget.real(folder) else { return 0 }
        return FolderListing.names(in: "/proc/\(process)/fd").reduce(0) { sum, number in
            let link = "/proc/\(process)/fd/\(number)"
            var status = stat()
            guard stat(link, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 0,
                LinkTarget.of(link)?.hasPrefix(folder.child("")) == true
            else { return sum }
            return sum + Int(status.st_size)
        }
    }

    private static func text(_ path: String) -> String? {
        (try? readWholeFile(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}
