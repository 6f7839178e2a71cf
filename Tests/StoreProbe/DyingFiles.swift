import Glibc
import Synchronization
import SynthModelStore
import SynthSystem

/// The machine's file system, except that the process kills itself before one of the calls.
final class DyingFiles: StoreFiles {
    private let system: SystemFiles
    private let counter = Atomic(0)
    private let last: Int

    /// - Parameter last: The number of the call before which the process kills itself, starting at 1; 0 for never.
    init(dyingAt last: Int, root: String) {
        self.last = last
        system = SystemFiles(root: root)
    }

    var calls: Int { counter.load(ordering: .relaxed) }

    private func live() {
        if counter.add(1, ordering: .relaxed).newValue == last { kill(getpid(), SIGKILL) }
    }

    func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32 {
        live()
        return try system.open(path, for: purpose)
    }

    func close(_ descriptor: Int32) { system.close(descriptor) }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String
    ) throws(FileFailure) -> Int {
        live()
        return try system.read(descriptor, into: buffer, of: path)
    }

    func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure) -> Int {
        live()
        return try system.write(descriptor, buffer, of: path)
    }

    func truncate(_ descriptor: Int32, of path: String) throws(FileFailure) {
        live()
        try system.truncate(descriptor, of: path)
    }

    func sync(_ descriptor: Int32, of path: String) throws(FileFailure) {
        live()
        try system.sync(descriptor, of: path)
    }

    func unlock(_ descriptor: Int32) { system.unlock(descriptor) }

    func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool {
        live()
        return try system.lock(descriptor, waiting: waiting, of: path)
    }

    func rename(_ path: String, to other: String) throws(FileFailure) {
        live()
        try system.rename(path, to: other)
    }

    func removeFile(_ path: String) throws(FileFailure) {
        live()
        try system.removeFile(path)
    }

    func removeFolder(_ path: String) throws(FileFailure) {
        live()
        try system.removeFolder(path)
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        live()
        try system.makeFolder(path)
    }

    func names(in folder: String) throws(FileFailure) -> [String] {
        live()
        return try system.names(in: folder)
    }

    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus {
        live()
        return try system.status(of: path, followingLinks: followingLinks)
    }

    func freeBytes(at path: String) throws(FileFailure) -> Int64 {
        live()
        return try system.freeBytes(at: path)
    }

    func touch(_ path: String) throws(FileFailure) {
        live()
        try system.touch(path)
    }
}
