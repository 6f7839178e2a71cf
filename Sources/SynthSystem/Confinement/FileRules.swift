import CSynthLinux
import Glibc

/// The files that a confined process may use, enforced by Landlock (landlock(7)). All other access is denied. No
/// Landlock version restricts reading a file's size or owner by path.
package struct FileRules: Equatable, Sendable {
    /// Files and folders that may be read, including the folders' contents.
    package var readable: [String]
    /// Folders in which files may be read, written, created and removed.
    package var writable: [String]
    /// Devices, or folders of devices, that may be read, written, and controlled with ioctl.
    package var devices: [String]

    /// Programs that this process may `exec`; they remain confined. If the list is empty, the process cannot run other
    /// programs. The process can never start child processes.
    package var runnable: [String]

    package init(
        readable: [String] = [], writable: [String] = [], devices: [String] = [], runnable: [String] = []
    ) {
        self.readable = readable
        self.writable = writable
        self.devices = devices
        self.runnable = runnable
    }

    /// Files for name resolution, and trusted TLS certificates. The rules name folders rather than files, because a
    /// rule for a file no longer applies after the file has been replaced.
    package static let ofNetwork = [
        "/etc", "/run/NetworkManager", "/run/connman", "/run/netconfig", "/run/nscd", "/run/resolvconf",
        "/run/systemd/resolve", "/var/lib/ca-certificates",
    ]
    /// The folder in which libraries look for available devices.
    private static let ofDevices = ["/sys"]

    /// Whether these rules allow everything that `other` allows.
    package func includes(_ other: FileRules) -> Bool {
        other.readable.allSatisfy { path in
            readable.contains { path == $0 || path.hasPrefix($0 + "/") } || writable.contains(path)
        } && other.writable.allSatisfy(writable.contains) && other.devices.allSatisfy(devices.contains)
            && other.runnable.allSatisfy(runnable.contains)
    }

    /// Whether files may be created and removed in a folder. All links in the folder's path must be resolved.
    package func mayChange(folder: String) -> Bool {
        (writable + Self.ofSanitizers).contains { folder == $0 || folder.hasPrefix($0 + "/") }
    }

    /// Files that every confined process needs: libraries and their data, the time zone, and the kernel's information
    /// about the processor and the process itself.
    private static let ofSystem =
        [
            "/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/app",
            "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/locale.alias", "/proc/cpuinfo",
            "/proc/meminfo", "/proc/stat",
            "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm",
        ] + ofItself.map { "/proc/self/\($0)" }
    /// Individual files in `/proc/self`, because the folders of the process and its threads also expose the user's
    /// connections (`net`) and mounts (`mountinfo`).
    private static let ofItself = [
        "auxv", "cgroup", "cmdline", "comm", "environ", "fd", "limits", "maps", "oom_score", "oom_score_adj", "smaps",
        "smaps_rollup", "stat", "statm", "status",
    ]
    /// Devices that every process may use. `/dev/zero` is excluded because memory limits do not cover a shared mapping
    /// of it.
    private static let alwaysOpen = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"]

    /// Permanently confines this thread and everything that it starts.
    ///
    /// - Parameter version: the Landlock version, above 0. A version older than the kernel's version applies fewer
    ///   restrictions.
    func apply(_ network: Confinement.Network, version: Int) throws(Errno) {
        let rules = Descriptor(
            owning: try Errno.check {
                linux_landlock_rules(
                    Int32(version), Access.known(to: version).rawValue,
                    version < 4 ? UInt64(0) : network == .all ? Self.listening : Self.listening | Self.connecting,
                    version < 6 ? UInt64(0) : Self.outside)
            })
        for path in Self.ofSystem + readable + (network == .none ? [] : Self.ofNetwork) {
            try allow(path, .reading, rules, version)
        }
        // The dynamic loader is one of the system files, so these files must be executable too.
        for path in runnable.isEmpty ? [] : runnable + Self.ofSystem { try allow(path, .running, rules, version) }
        if case .ports(let ports) = network, version >= 4 {
            for port in ports { _ = linux_landlock_allow_port(rules.raw, port) }
        }
        for path in devices { try allow(path, .controlling, rules, version) }
        for path in devices.isEmpty ? [] : Self.ofDevices { try allow(path, .reading, rules, version) }
        for path in Self.alwaysOpen { try allow(path, [.readFile, .writeFile], rules, version) }
        for path in writable + Self.ofSanitizers { try allow(path, .keeping, rules, version) }
        try Errno.check { linux_landlock_restrict(rules.raw) }
    }

    /// Allows access to a path. Skips a path that does not exist or is not accessible; the other rules still take
    /// effect. Throws if a path temporarily cannot be opened, for example because no file descriptors are available;
    /// otherwise, the program would later report that files are missing.
    private func allow(_ path: String, _ access: Access, _ rules: Descriptor, _ version: Int) throws(Errno) {
        do {
            try Errno.check {
                linux_landlock_allow(rules.raw, path, access.intersection(.known(to: version)).rawValue)
            }
        } catch {
            if [EMFILE, ENFILE, ENOMEM, EIO].contains(error.code) { throw error }
        }
    }

    /// The folder for a sanitizer's reports, from an option such as `log_path=/tmp/report:halt_on_error=1`.
    private static var ofSanitizers: [String] {
        let variables = ProcessEnvironment().variables
        let options = ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { variables[$0] }.flatMap { $0.split(separator: ":") }
        let prefix = "log_path="
        return options.filter { $0.hasPrefix(prefix) }.map { LinkTarget.folder(of: String($0.dropFirst(prefix.count))) }
    }

    /// LANDLOCK_ACCESS_NET_…, for TCP.
    private static let listening: UInt64 = 1 << 0
    private static let connecting: UInt64 = 1 << 1
    /// LANDLOCK_SCOPE_…: connecting to abstract sockets of processes outside the confinement, and sending signals to
    /// those processes.
    private static let outside: UInt64 = 1 << 0 | 1 << 1

    /// LANDLOCK_ACCESS_FS_…
    private struct Access: OptionSet {
        let rawValue: UInt64

        static let writeFile = Access(rawValue: 1 << 1)
        static let readFile = Access(rawValue: 1 << 2)
        static let readFolder = Access(rawValue: 1 << 3)

        static let running = Access(rawValue: 1 << 0).union(.readFile)
        static let reading: Access = [.readFile, .readFolder]
        /// Includes ioctl on devices (bit 15), which Landlock has restricted since version 5.
        static let controlling = Access(rawValue: 1 << 15).union(.reading).union(.writeFile)
        /// All write access except for creating links, sockets, pipes and devices, because such files could confuse a
        /// program that cleans up later. The rights include removing (bits 4 and 5), creating folders and files
        /// (7 and 8), renaming across folders (13), and truncating (14).
        static let keeping = Access(rawValue: 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14).union(.reading)
            .union(.writeFile)

        /// Version 1 has 13 access rights; versions 2, 3 and 5 each add one right.
        static func known(to version: Int) -> Access {
            Access(rawValue: 1 << (version < 2 ? 13 : version < 3 ? 14 : version < 5 ? 15 : 16) - 1)
        }
    }
}
