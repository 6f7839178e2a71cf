import CLinux
import Glibc
import System

/// A call in words that follow "It was refused", with the kernel's name for it.
struct CallWords {
    private let call: linux_call
    private let memory: CallMemory
    private let paths: CallPaths

    init(_ call: linux_call, _ memory: CallMemory, _ paths: CallPaths) {
        (self.call, self.memory, self.paths) = (call, memory, paths)
    }

    var refused: String { "\(deed) (\(name))" }

    /// Of something that is done to a path.
    func refused(to deed: String) -> String { "to \(deed)\(Self.text(paths.first)) (\(name))" }

    private var name: String { call.name.map { String(cString: $0) } ?? "call \(call.number)" }

    private var deed: String {
        let (path, other) = (Self.text(paths.first), Self.text(paths.second))
        return switch call.deed {
        case LINUX_MAKES_FOLDER: "to make the folder\(path)"
        case LINUX_MAKES_FILE: "to make\(path)"
        case LINUX_MAKES_LINK: "to make the link\(path)"
        case LINUX_REMOVES: "to remove\(path)"
        case LINUX_RENAMES: "to rename\(path) to\(other)"
        case LINUX_LINKS: "to link\(path) as\(other)"
        case LINUX_STARTS_PROGRAM: "to start the program\(path)"
        case LINUX_STARTS_PROCESS: "to start a process"
        case LINUX_OPENS_SOCKET: "to open \(socket)"
        case LINUX_CONNECTS: "to reach\(address(call.name.map { String(cString: $0) } == "sendto" ? 4 : 1))"
        case LINUX_LISTENS:
            "to wait for others\(call.name.map { String(cString: $0) } == "bind" ? " at" + address(1) : "")"
        case LINUX_SIGNALS: "to send a signal to the process \(Int32(truncatingIfNeeded: call.arguments.0))"
        case LINUX_LOOKS_INTO_PROCESS: "to look into a process"
        case LINUX_SETS_PRIORITY: "to set a priority, processors or limits"
        case LINUX_CHANGES_FILE: "to change\(path.isEmpty ? " what a file is" : path)"
        case LINUX_LOCKS_FILE: "to lock a file"
        case LINUX_WATCHES_FILES: "to watch\(path.isEmpty ? " files" : path)"
        case LINUX_SHARES_MEMORY: "to share memory or messages with other processes"
        case LINUX_RUNS_MEMORY: "to run memory that is of no file"
        case LINUX_CONTROLS_DEVICE:
            "to control a device by 0x\(String(UInt32(truncatingIfNeeded: call.arguments.1), radix: 16))"
        default: "a call that speaking has no use for"
        }
    }

    private var socket: String {
        switch Int32(truncatingIfNeeded: call.arguments.0) {
        case AF_INET, AF_INET6: "a socket of the internet"
        case AF_UNIX: "a socket of this machine"
        case let family: "a socket of family \(family)"
        }
    }

    /// Where a socket leads, with a space before it.
    private func address(_ argument: Int) -> String {
        let (place, size) = argument == 1 ? (call.arguments.1, call.arguments.2) : (call.arguments.4, call.arguments.5)
        guard size <= 128, let bytes = memory.bytes(at: place, count: Int(size)), size >= 4 else {
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

    /// With a space before it, and cut.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let most = 300
        return " " + String(decoding: bytes.prefix(most), as: UTF8.self) + (bytes.count > most ? "…" : "")
    }
}
