import CSynthLinux
import Glibc

/// What a confined process may do with files, by Landlock (landlock(7)): nothing that no rule allows. Looking at the size or
/// the owner of a file by its path is not watched by any version.
package struct FileRules: Equatable, Sendable {
    /// May be read, with all below them if they are folders.
    package var readable: [String]
    /// May be read, written, made and removed: folders.
    package var writable: [String]
    /// May be read, written and controlled: devices, or folders of them.
    package var devices: [String]

    /// The program that this process may become, which keeps the same walls. It starts no process, and with an empty list it becomes
    /// no other program.
    package var runnable: [String]

    package init(
        readable: [String] = [], writable: [String] = [], devices: [String] = [], runnable: [String] = []
    ) {
        self.readable = readable
        self.writable = writable
        self.devices = devices
        self.runnable = runnable
    }

    /// How names are found, and whom TLS trusts. By folders: a file that is replaced meanwhile would have no rule.
    package static let ofNetwork = [
        "/etc", "/run/NetworkManager", "/run/connman", "/run/netconfig", "/run/nscd", "/run/resolvconf",
        "/run/systemd/resolve", "/var/lib/ca-certificates",
    ]
    /// Where a library finds which devices there are.
    private static let ofDevices = ["/sys"]

    /// Whether all that others allow is allowed.
    package func includes(_ other: FileRules) -> Bool {
        other.readable.allSatisfy { path in
            readable.contains { path == $0 || path.hasPrefix($0 + "/") } || writable.contains(path)
        } && other.writable.allSatisfy(writable.contains) && other.devices.allSatisfy(devices.contains)
            && other.runnable.allSatisfy(runnable.contains)
    }

    /// Whether files may be made in and removed from a folder, named by its real path.
    package func mayChange(folder: String) -> Bool {
        (writable + Self.ofSanitizers).contains { folder == $0 || folder.hasPrefix($0 + "/") }
    }

    /// What every program needs that computes: libraries and their data, the time zone, what the kernel tells of the processor and of
    /// the process itself.
    private static let ofSystem =
        [
            "/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/app",
            "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/locale.alias", "/proc/cpuinfo",
            "/proc/meminfo", "/proc/stat",
            "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm",
        ] + ofItself.map { "/proc/self/\($0)" }
    /// File by file: the folder of a process, and those of its threads, also show the user's connections (`net`) and mounts (`mountinfo`).
    private static let ofItself = [
        "auxv", "cgroup", "cmdline", "comm", "environ", "fd", "limits", "maps", "oom_score", "oom_score_adj", "smaps",
        "smaps_rollup", "stat", "statm", "status",
    ]
    /// Devices without an end. Not `/dev/zero`: a shared mapping of it is memory that no limit counts.
    private static let alwaysOpen = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Confines this thread, and all that it starts, for good.
    ///
    /// - Parameter version: of Landlock; an older one than the kernel's watches less. Above 0.
    func apply(_ network: Confinement.Network, version: Int) throws(Errno) {
        let rules = Descriptor(
            owning: try Errno.check {
                linux_landlock_rules(
                    Int32(version), Access.known(to: version).rawValue,
                    version < 4 ? UInt64(0) : network == .all ? Self.listening : Self.listening | Self.connecting,
                    version < 6 ? UInt64(0) : Self.outside)
            })
        for path in Self.ofSystem + readable + (network == .none ? [] : Self.ofNetwork) {
            allow(path, .reading, rules, version)
        }
        // The loader of programs is one of the system's.
        for path in runnable.isEmpty ? [] : runnable + Self.ofSystem { allow(path, .running, rules, version) }
        if case .ports(let ports) = network, version >= 4 {
            for port in ports { _ = linux_landlock_allow_port(rules.raw, port) }
        }
        for path in devices { allow(path, .controlling, rules, version) }
        for path in devices.isEmpty ? [] : Self.ofDevices { allow(path, .reading, rules, version) }
        for path in Self.alwaysOpen { allow(path, [.readFile, .writeFile], rules, version) }
        for path in writable + Self.ofSanitizers { allow(path, .keeping, rules, version) }
        try Errno.check { linux_landlock_restrict(rules.raw) }
    }

    /// What cannot be opened needs no rule, and keeps none of the others from holding.
    private func allow(_ path: String, _ access: Access, _ rules: Descriptor, _ version: Int) {
        _ = linux_landlock_allow(rules.raw, path, access.intersection(.known(to: version)).rawValue)
    }

    /// Where a sanitizer reports what it finds, as in `log_path=/tmp/report:halt_on_error=1`.
    private static var ofSanitizers: [String] {
        let variables = ProcessEnvironment().variables
        let options = ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { variables[$0] }.flatMap { $0.split(separator: ":") }
        let prefix = "log_path="
        return options.filter { $0.hasPrefix(prefix) }.map { LinkTarget.folder(of: String($0.dropFirst(prefix.count))) }
    }

    /// LANDLOCK_ACCESS_NET_…, for TCP.
    private static let listening: UInt64 = 1 << 0
    private static let connecting: UInt64 = 1 << 1
    /// Abstract sockets of processes outside, and signals to them.
    private static let outside: UInt64 = 1 << 0 | 1 << 1

    /// LANDLOCK_ACCESS_FS_…
    private struct Access: OptionSet {
        let rawValue: UInt64

        static let writeFile = Access(rawValue: 1 << 1)
        static let readFile = Access(rawValue: 1 << 2)
        static let readFolder = Access(rawValue: 1 << 3)

        static let running = Access(rawValue: 1 << 0).union(.readFile)
        static let reading: Access = [.readFile, .readFolder]
        /// By all calls that a device has (15), which are watched from version 5 on.
        static let controlling = Access(rawValue: 1 << 15).union(.reading).union(.writeFile)
        /// All but links, sockets, pipes and devices, at which a program that cleans up could stumble: removing (4, 5), making folders and
        /// files (7, 8), renaming between folders (13), cutting (14).
        static let keeping = Access(rawValue: 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14).union(.reading)
            .union(.writeFile)

        /// Version 1 has 13 kinds, and the later ones with further kinds of files are 2, 3 and 5.
        static func known(to version: Int) -> Access {
            Access(rawValue: 1 << (version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16) - 1)
        }
    }
}
