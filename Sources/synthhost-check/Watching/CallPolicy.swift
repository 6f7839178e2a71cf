import CSynthLinux
import Glibc
import SynthSystem

/// Decides which system calls of a watched process are refused, and describes them.
struct CallPolicy {
    let watched: pid_t
    /// The Landlock rules, or nil if Landlock is not available.
    let files: FileRules?

    struct Verdict {
        /// A description of the refused call, phrased to follow "It was not allowed", or nil if the call is not
        /// refused.
        var refused: String?
        /// The error that the call returns, or 0 to let the kernel execute the call.
        var failure: Int32 = 0
    }

    /// Whether this process can read the memory of the watched process.
    var canReadMemory: Bool {
        // This memory was allocated before the fork, so its address is the same in both processes.
        withUnsafeBytes(of: watched) { here in
            CallMemory(thread: watched).bytes(at: UInt64(UInt(bitPattern: here.baseAddress)), count: 1) != nil
        }
    }

    func verdict(on call: linux_call) -> Verdict {
        let memory = CallMemory(thread: call.thread)
        let paths = CallPaths(call, memory, watched: watched)
        let words = CallWords(call, memory, paths)
        guard call.deed.rawValue <= LINUX_LINKS.rawValue else { return Verdict(refused: words.refused, failure: EPERM) }
        guard let path = paths.first else { return Verdict() }
        if call.deed == LINUX_OPENS { return opening(path, OpenFlags(call), words) }
        guard let files, isRefused(call, path, paths.second, files) else { return Verdict() }
        return Verdict(refused: words.refused)
    }

    private func opening(_ path: CallPath, _ flags: OpenFlags, _ words: CallWords) -> Verdict {
        if flags.emptiesByReading { return Verdict(refused: words.refused(to: "empty"), failure: EPERM) }
        // A descriptor that merely refers to a path is always allowed.
        if flags.onlyNames { return Verdict() }
        if flags.isUnnamed {
            return path.isFolder && !mayChange(path.real)
                ? Verdict(refused: words.refused(to: "create a file in")) : Verdict()
        }
        switch path.answer(to: flags.harmless) {
        case EACCES, EPERM:
            return flags.mustBeNew ? Verdict() : Verdict(refused: words.refused(to: flags.writes ? "write" : "read"))
        case ENOENT where flags.raw & O_CREAT != 0 && path.folder.isFolder && !mayChange(path.folder.real):
            return Verdict(refused: words.refused(to: "create"))
        default: return Verdict()
        }
    }

    /// Whether a path-based call other than an open call is refused. Returns false for a call that would fail even
    /// without confinement.
    private func isRefused(_ call: linux_call, _ path: CallPath, _ other: CallPath?, _ files: FileRules) -> Bool {
        let isOutside = !mayChange(path.folder.real)
        switch call.deed {
        case LINUX_MAKES_FOLDER: return isOutside && path.isFree
        case LINUX_MAKES_FILE:
            let mode = mode_t(truncatingIfNeeded: call.folder < 0 ? call.arguments.1 : call.arguments.2) & S_IFMT
            return (isOutside || mode != 0 && mode != S_IFREG) && path.isFree
        case LINUX_MAKES_LINK: return path.isFree
        case LINUX_REMOVES: return isOutside && path.exists
        default: return path.exists && (isOutside || other.map { !mayChange($0.folder.real) } ?? false)
        }
    }

    private func mayChange(_ folder: String?) -> Bool {
        guard let files, let folder else { return true }
        return files.mayChange(folder: folder)
    }
}

struct OpenFlags {
    let raw: Int32

    init(_ call: linux_call) {
        if call.name.map({ String(cString: $0) }) == "creat" {
            raw = O_CREAT | O_WRONLY | O_TRUNC
        } else {
            raw = Int32(truncatingIfNeeded: call.folder < 0 ? call.arguments.1 : call.arguments.2)
        }
    }

    var writes: Bool { raw & O_ACCMODE != O_RDONLY }
    var mustBeNew: Bool { raw & O_CREAT != 0 && raw & O_EXCL != 0 }
    /// Whether the flags truncate a file that is opened for reading, which the filter in linux_refused.c rejects.
    var emptiesByReading: Bool { raw & O_TRUNC != 0 && ![O_WRONLY, O_RDWR].contains(raw & O_ACCMODE) }
    /// Whether the flags contain `O_TMPFILE`, which includes the bit of `O_DIRECTORY`.
    var isUnnamed: Bool { raw & Self.unnamed != 0 }
    /// The flags without creation and truncation, made non-blocking.
    var harmless: Int32 { raw & ~(O_CREAT | O_EXCL | O_TRUNC | Self.unnamed) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }

    /// Whether the flags contain `O_PATH`.
    var onlyNames: Bool { raw & 0o10000000 != 0 }

    /// `__O_TMPFILE`. The Glibc module defines neither this flag nor `O_PATH`. Their values are the same on all
    /// supported machines.
    private static let unnamed: Int32 = 0o20000000
}

/// A description of a call, phrased to follow "It was not allowed", with the kernel's name for the call.
struct CallWords {
    private let call: linux_call
    private let memory: CallMemory
    private let paths: CallPaths

    init(_ call: linux_call, _ memory: CallMemory, _ paths: CallPaths) {
        (self.call, self.memory, self.paths) = (call, memory, paths)
    }

    var refused: String { "\(action) (\(name))" }

    /// Describes an action on a path.
    func refused(to action: String) -> String { "to \(action)\(Self.text(paths.first)) (\(name))" }

    private var name: String { call.name.map { String(cString: $0) } ?? "call \(call.number)" }

    /// Whether a mapping was refused because it is shared rather than because it is executable.
    private var sharesMemory: Bool {
        call.deed == LINUX_SHARES_MEMORY
            || call.name.map { String(cString: $0) } == "mmap" && call.arguments.2 & UInt64(PROT_EXEC) == 0
    }

    private var action: String {
        let (path, other) = (Self.text(paths.first), Self.text(paths.second))
        return switch call.deed {
        case LINUX_MAKES_FOLDER: "to create the folder\(path)"
        case LINUX_MAKES_FILE: "to create\(path)"
        case LINUX_MAKES_LINK: "to create the link\(path)"
        case LINUX_REMOVES: "to remove\(path)"
        case LINUX_RENAMES: "to rename\(path) to\(other)"
        case LINUX_LINKS: "to link\(path) as\(other)"
        case LINUX_STARTS_PROGRAM: "to start the program\(path)"
        case LINUX_STARTS_PROCESS: "to start a process"
        case LINUX_OPENS_SOCKET: "to open \(socket)"
        case LINUX_CONNECTS: "to reach\(address(call.name.map { String(cString: $0) } == "sendto" ? 4 : 1))"
        case LINUX_LISTENS:
            "to listen for connections\(call.name.map { String(cString: $0) } == "bind" ? " at" + address(1) : "")"
        case LINUX_SIGNALS: "to send a signal to process \(Int32(truncatingIfNeeded: call.arguments.0))"
        case LINUX_LOOKS_INTO_PROCESS: "to inspect a process"
        case LINUX_SETS_PRIORITY: "to set a priority, CPU affinity or limits"
        case LINUX_CHANGES_FILE: "to change\(path.isEmpty ? " the properties of a file" : path)"
        case LINUX_READS_ATTRIBUTES: "to read the extended attributes of\(path.isEmpty ? " a file" : path)"
        case LINUX_LOCKS_FILE: "to lock a file"
        case LINUX_WATCHES_FILES: "to watch\(path.isEmpty ? " files" : path)"
        case LINUX_SHARES_MEMORY,
            LINUX_RUNS_MEMORY where sharesMemory:
            "to share memory or messages with other processes"
        case LINUX_RUNS_MEMORY: "to run code from memory without a file"
        case LINUX_CONTROLS_DEVICE:
            "to control a device with request 0x\(String(UInt32(truncatingIfNeeded: call.arguments.1), radix: 16))"
        default: "to make a system call that engines do not need"
        }
    }

    private var socket: String {
        switch Int32(truncatingIfNeeded: call.arguments.0) {
        case AF_INET, AF_INET6: "an internet socket"
        case AF_UNIX: "a local socket"
        case let family: "a socket of family \(family)"
        }
    }

    /// Describes the destination of a socket, with a leading space.
    private func address(_ argument: Int) -> String {
        let (location, size) =
            argument == 1 ? (call.arguments.1, call.arguments.2) : (call.arguments.4, call.arguments.5)
        guard size <= 128, let bytes = memory.bytes(at: location, count: Int(size)), size >= 4 else {
            return " an address"
        }
        let port = Int(bytes[2]) << 8 | Int(bytes[3])
        switch Int32(bytes[0]) | Int32(bytes[1]) << 8 {
        case AF_UNIX:
            let isAbstract = bytes[2] == 0
            return Self.text((isAbstract ? [UInt8(ascii: "@")] + bytes[3...] : bytes[2...].prefix { $0 != 0 }))
        case AF_INET where size >= 8: return " \(bytes[4..<8].map(String.init).joined(separator: ".")):\(port)"
        case AF_INET6: return " port \(port) of an IPv6 address"
        default: return " an address"
        }
    }

    private static func text(_ path: CallPath?) -> String { path.map { text($0.text[...]) } ?? "" }

    /// Returns the text with a leading space, truncated.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let most = 300
        return " " + String(decoding: bytes.prefix(most), as: UTF8.self) + (bytes.count > most ? "…" : "")
    }
}
