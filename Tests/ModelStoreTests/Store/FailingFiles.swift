import Glibc
import Synchronization
import SynthSystem

@testable import SynthModelStore

/// The machine's file system, except that one call fails. Nothing is actually synced, because a test cannot simulate a
/// power failure.
final class FailingFiles: StoreFiles {
    enum Fault: CaseIterable {
        case noSpace, ioError, noAccess, interrupted, shortWrite

        var code: Int32 {
            switch self {
            case .noSpace: ENOSPC
            case .ioError: EIO
            case .noAccess: EACCES
            case .interrupted, .shortWrite: EINTR
            }
        }
    }

    private struct State {
        var calls = 0
        var open: Set<Int32> = []
        var failed: String?
    }

    private let system: SystemFiles
    private let state = Mutex(State())
    private let fault: Fault
    private let number: Int

    /// - Parameter number: The number of the failing call, starting at 1.
    init(_ fault: Fault, at number: Int, root: String) {
        system = SystemFiles(root: root)
        self.fault = fault
        self.number = number
    }

    var calls: Int { state.withLock { $0.calls } }
    var openDescriptors: Set<Int32> { state.withLock { $0.open } }
    /// The name of the call that failed; `nil` if none has failed.
    var failed: String? { state.withLock { $0.failed } }

    /// Whether this is the call that must fail.
    private func isDue(_ call: String, canBeShort: Bool = false) -> Bool {
        state.withLock { state in
            state.calls += 1
            guard state.calls == number, fault != .shortWrite || canBeShort else { return false }
            state.failed = call
            return true
        }
    }

    private func count(_ call: String, _ path: String) throws(FileFailure) {
        if isDue(call) { throw FileFailure(Errno(fault.code), call: call, path: path) }
    }

    func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32 {
        try count("open", path)
        let descriptor = try system.open(path, for: purpose)
        state.withLock { _ = $0.open.insert(descriptor) }
        return descriptor
    }

    func close(_ descriptor: Int32) {
        state.withLock { _ = $0.open.remove(descriptor) }
        system.close(descriptor)
    }

    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String) throws(FileFailure)
        -> Int
    {
        try count("read", path)
        return try system.read(descriptor, into: buffer, of: path)
    }

    func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure) -> Int {
        guard isDue("write", canBeShort: true) else { return try system.write(descriptor, buffer, of: path) }
        guard fault == .shortWrite, buffer.count > 1 else {
            throw FileFailure(Errno(fault.code), call: "write", path: path)
        }
        return try system.write(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<(buffer.count / 2)]), of: path)
    }

    func truncate(_ descriptor: Int32, of path: String) throws(FileFailure) {
        try count("truncate", path)
        try system.truncate(descriptor, of: path)
    }

    func sync(_ descriptor: Int32, of path: String) throws(FileFailure) { try count("sync", path) }

    func unlock(_ descriptor: Int32) { system.unlock(descriptor) }

    func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool {
        try count("lock", path)
        return try system.lock(descriptor, waiting: waiting, of: path)
    }

    func rename(_ path: String, to other: String) throws(FileFailure) {
        try count("rename", other)
        try system.rename(path, to: other)
    }

    func removeFile(_ path: String) throws(FileFailure) {
        try count("removeFile", path)
        try system.removeFile(path)
    }

    func removeFolder(_ path: String) throws(FileFailure) {
        try count("removeFolder", path)
        try system.removeFolder(path)
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        try count("makeFolder", path)
        try system.makeFolder(path)
    }

    func names(in folder: String) throws(FileFailure) -> [String] {
        try count("names", folder)
        return try system.names(in: folder)
    }

    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        try count("status", path)
        return try system.status(of: path, followingLinks: followingLinks)
    }

    func freeBytes(at path: String) throws(FileFailure) -> Int64 {
        try count("freeBytes", path)
        return try system.freeBytes(at: path)
    }

    func touch(_ path: String) throws(FileFailure) {
        try count("touch", path)
        try system.touch(path)
    }
}
