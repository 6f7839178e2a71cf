import CSynthLinux
import Glibc
import SynthSystem

/// The memory of a thread that is blocked in a call. Its contents are untrusted.
struct CallMemory {
    let thread: pid_t

    /// Reads up to 4096 bytes. Returns nil unless all of them can be read.
    func bytes(at address: UInt64, count: Int) -> [UInt8]? {
        let bytes = some(at: address, most: count)
        return bytes.count == count ? bytes : nil
    }

    /// Reads a string. Returns nil if it is not terminated or is too long for a path.
    func text(at address: UInt64) -> [UInt8]? {
        let bytes = some(at: address, most: Int(PATH_MAX))
        return bytes.firstIndex(of: 0).map { Array(bytes[..<$0]) }
    }

    private func some(at address: UInt64, most: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, linux_read_memory(thread, address, buffer.baseAddress, most))
        }
    }
}

/// The paths in a call's arguments.
struct CallPaths {
    let first: CallPath?
    let second: CallPath?

    init(_ call: linux_call, _ memory: CallMemory, watched: pid_t) {
        let arguments = [
            call.arguments.0, call.arguments.1, call.arguments.2, call.arguments.3, call.arguments.4, call.arguments.5,
        ]
        func path(_ folder: Int8, _ path: Int8) -> CallPath? {
            guard path >= 0, let text = memory.text(at: arguments[Int(path)]), !text.isEmpty else { return nil }
            let folder = folder < 0 ? AT_FDCWD : Int32(truncatingIfNeeded: arguments[Int(folder)])
            return CallPath(text, in: folder, of: call.thread, watched)
        }
        first = path(call.folder, call.path)
        second = path(call.other_folder, call.other_path)
    }
}

/// A path as resolved in another process.
struct CallPath {
    /// The path as passed to the call.
    let text: [UInt8]
    /// The path through which this process can reach the same file.
    private let here: [UInt8]
    private let watched: pid_t

    /// - Parameter folder: the base of a relative path: a descriptor of that process, or `AT_FDCWD`.
    init(_ text: [UInt8], in folder: Int32, of thread: pid_t, _ watched: pid_t) {
        self.text = text
        self.watched = watched
        guard text.first != UInt8(ascii: "/") else {
            here =
                Self.replacing("/proc/self", by: "/proc/\(watched)", in: text)
                ?? Self.replacing("/proc/thread-self", by: "/proc/\(watched)/task/\(thread)", in: text) ?? text
            return
        }
        here = Array("/proc/\(thread)/\(folder == AT_FDCWD ? "cwd" : "fd/\(folder)")/".utf8) + text
    }

    private init(_ here: [UInt8], _ watched: pid_t) {
        (text, self.here, self.watched) = (here, here, watched)
    }

    private static func replacing(_ start: String, by other: String, in path: [UInt8]) -> [UInt8]? {
        let rest = path.dropFirst(start.utf8.count)
        guard path.starts(with: start.utf8), rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        return Array(other.utf8) + rest
    }

    /// The parent folder, which may not exist.
    var folder: CallPath {
        let trimmed = here.prefix((here.lastIndex { $0 != UInt8(ascii: "/") } ?? 0) + 1)
        let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) ?? 0
        return CallPath(slash == 0 ? [UInt8(ascii: "/")] : Array(trimmed[..<slash]), watched)
    }

    /// The path with links resolved, or nil if it does not exist.
    var real: String? { LinkTarget.real(String(decoding: here, as: UTF8.self)) }

    var exists: Bool {
        var status = stat()
        return Self.named(here) { lstat($0, &status) } == 0
    }

    /// Whether a new file could be created at the path.
    var isFree: Bool { !exists && folder.isFolder }

    var isFolder: Bool {
        var status = stat()
        return Self.named(here) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Tries to open the file. Returns 0 or the error number.
    func answer(to flags: Int32) -> Int32 {
        let failure = Self.answer(here, flags)
        guard failure == EACCES, let real else { return failure }
        // In this process, links such as /dev/stdin resolve to this process's own files.
        let own = "/proc/\(getpid())"
        guard let theirs = Self.replacing(own, by: "/proc/\(watched)", in: Array(real.utf8)) else { return failure }
        return Self.answer(theirs, flags)
    }

    private static func answer(_ path: [UInt8], _ flags: Int32) -> Int32 {
        named(path) { path in
            let file = open(path, flags)
            guard file >= 0 else { return errno }
            close(file)
            return 0
        }
    }

    private static func named(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { characters in
            // The base address is nil only for an empty array, which cannot occur here.
            characters.baseAddress.map(body) ?? body("")
        }
    }
}
