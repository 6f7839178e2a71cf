package import Glibc

/// A simplified process state.
package enum ProcessState: Sendable {
    case running
    case stopped
    case ended

    /// Reads the state from /proc; `running` if /proc does not provide it.
    package init(of process: Int32) {
        switch ProcessStat.fields(in: "/proc/\(process)")?.first {
        case "T", "t": self = .stopped
        case "Z", "X": self = .ended
        default: self = .running
        }
    }
}

enum ProcessFile {
    /// Returns up to the first 4096 bytes of a file; empty if the file does not exist.
    static func text(_ path: String) -> String {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return "" }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = (try? file.read(into: buffer)) ?? 0
            return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}

/// Measures the memory use of this process's children.
package enum ChildMemory {
    /// Returns the resident memory of all children in bytes, from /proc; 0 if /proc does not provide it.
    package static func resident() -> UInt64 {
        var bytes: UInt64 = 0
        for thread in FolderListing.names(in: "/proc/self/task") {
            for child in ProcessFile.text("/proc/self/task/\(thread)/children").split(separator: " ") {
                bytes += Int32(child).map { resident(of: $0) } ?? 0
            }
        }
        return bytes
    }

    /// Returns the resident memory of a process in bytes; 0 if it has ended.
    package static func resident(of process: Int32) -> UInt64 {
        let fields = ProcessFile.text("/proc/\(process)/statm").split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return 0 }
        return pages * UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 0))
    }
}

/// The kernel's statistics for a process or a thread (`stat` in proc(5)).
package enum ProcessStat {
    /// Returns the fields starting with field 3 (the state); nil if the process or thread has ended.
    ///
    /// - Parameter folder: the folder of the process or thread in /proc.
    package static func fields(in folder: String) -> [String]? {
        // The name in field 2 is in parentheses and may itself contain spaces and parentheses.
        guard let bytes = try? readWholeFile("\(folder)/stat", limit: 4096),
            let name = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return bytes[name...].dropFirst().split(separator: UInt8(ascii: " ")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

/// Measures the CPU time of processes.
package enum ProcessorTime {
    /// Returns the total CPU time of all threads of a process; nil if the process has ended.
    package static func used(by process: pid_t) -> Duration? {
        var clock = clockid_t()
        var time = timespec()
        if clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 {
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        return ticks(of: process)
    }

    /// Returns the sum of fields 14 (user) and 15 (system), converted from clock ticks.
    private static func ticks(of process: pid_t) -> Duration? {
        guard let fields = ProcessStat.fields(in: "/proc/\(process)"), fields.count > 12, let user = Int(fields[11]),
            let system = Int(fields[12])
        else { return nil }
        return .milliseconds((user + system) * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
    }
}

/// Inspects the states of a process's threads.
package enum ThreadStates {
    /// Whether a thread of a process is running or waiting for a processor (state R), or is waiting in the kernel for a
    /// page or a file to be loaded (state D).
    package static func isBlocked(_ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/task"
        return FolderListing.names(in: folder).contains { thread in
            guard let state = ProcessStat.fields(in: "\(folder)/\(thread)")?.first else { return false }
            return state == "R" || state == "D"
        }
    }
}

/// Measures how long a process was able to run. The time that the process spends waiting for a processor or the disk is
/// excluded, up to five minutes. The exclusion is limited because a disk may never respond.
package struct ProcessClock {
    private let process: pid_t
    private var last = ContinuousClock.now
    private var used: Duration
    private var blockedTime = Duration.zero
    private static let longestBlockedTime = Duration.seconds(300)

    package init(of process: pid_t) {
        self.process = process
        used = ProcessorTime.used(by: process) ?? .zero
    }

    /// Returns the time for which the process was able to run since the previous call.
    package mutating func elapsed() -> Duration {
        let (before, usedBefore) = (last, used)
        (last, used) = (.now, ProcessorTime.used(by: process) ?? used)
        let passed = last - before
        guard blockedTime < Self.longestBlockedTime, ThreadStates.isBlocked(process) else { return passed }
        let own = min(passed, used - usedBefore)
        blockedTime += passed - own
        return own
    }
}
