import CLinux
import EngineChecks
import Glibc
import System

/// What an engine must leave alone.
enum ConductChecks {
    static func surroundings(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let before = ProcessState.now()
        let session = try Session(subject)
        try session.speakWhole()
        session.close()
        if let change = ProcessState.now().difference(from: before) { return .failed("It changed \(change).") }
        return .passed("It leaves them as they are.")
    }

    static func writing(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let openBefore = Set(writableFiles())
        let session = try Session(subject)
        try session.speakWhole()
        let cache = subject.surroundings.cache + "/"
        let open = writableFiles().filter { !openBefore.contains($0) && !$0.hasPrefix(cache) }
        session.close()
        for folder in subject.surroundings.forbidden {
            if let name = FolderListing.names(in: folder).first {
                let kind = folder.split(separator: "/").last ?? ""
                return .failed("It wrote \(name) into the \(kind) folder.")
            }
        }
        if let file = open.first { return .failed("It keeps \(file) open for writing.") }
        return .passed("It wrote nothing outside of its cache directory that was looked at.")
    }

    /// Regular files that are open for writing.
    private static func writableFiles() -> [String] {
        FolderListing.names(in: "/proc/self/fd").compactMap { name in
            guard let descriptor = Int32(name), fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY else { return nil }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
                guard let base = buffer.baseAddress else { return nil }
                let count = readlink("/proc/self/fd/\(name)", base, buffer.count)
                guard count > 0 else { return nil }
                return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
            }
        }
    }

    static func network(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        guard linux_forbid_network() else { return .skipped("This kernel offers no seccomp filter.") }
        let session = try Session(subject)
        try session.speakWhole()
        session.close()
        return .passed("It asked for no internet socket.")
    }

    static func processes(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        guard linux_forbid_processes() else { return .skipped("This kernel offers no seccomp filter.") }
        let session = try Session(subject)
        try session.speakWhole()
        session.close()
        return .passed("It started no process.")
    }
}
