import Glibc
import Synchronization
import SynthSystem

/// The lock on one entry. It is released once the process that took it and any download program started by that process
/// have ended. The download program shares the open file, so that no other process writes while the download program is
/// still writing.
final class StoreLock: Sendable {
    let descriptor: Int32
    private let files: any StoreFiles

    private init(descriptor: Int32, files: any StoreFiles) {
        self.descriptor = descriptor
        self.files = files
    }

    // Closing the descriptor is not enough, because a program that is being started briefly holds a duplicate. The
    // download program has already ended.
    deinit {
        files.unlock(descriptor)
        files.close(descriptor)
    }

    /// Takes the lock, or returns the process that holds it. Blocks only if `waiting` is true.
    ///
    /// - Parameter folder: the entry's folder, which is created if it does not exist.
    static func take(
        _ folder: String, waiting: Bool, _ files: any StoreFiles
    ) throws(FileFailure) -> Outcome {
        try files.makeFolders(folder)
        let path = folder.child(StoreLayout.lockName)
        let descriptor = try files.openFully(path, for: .locking)
        let lock = StoreLock(descriptor: descriptor, files: files)
        let isTaken = try files.repeating { () throws(FileFailure) in
            try files.lock(descriptor, waiting: waiting, of: path)
        }
        guard isTaken else { return .held(by: holder(descriptor, path, files)) }
        // The previous holder may have removed the entry and its lock file.
        guard files.isSame(descriptor, path) else { return try take(folder, waiting: waiting, files) }
        try files.truncate(descriptor, of: path)
        try files.writeFully(descriptor, Array("\(getpid())\n".utf8), of: path)
        return .taken(lock)
    }

    /// Whether a process holds the lock. Does not create a file.
    static func isHeld(_ folder: String, _ files: any StoreFiles) -> Bool {
        let path = folder.child(StoreLayout.lockName)
        guard let descriptor = try? files.openFully(path, for: .reading) else { return false }
        defer {
            files.unlock(descriptor)
            files.close(descriptor)
        }
        return (try? files.lock(descriptor, waiting: false, of: path)) == false
    }

    enum Outcome {
        case taken(StoreLock)
        case held(by: Int32?)
    }

    private static func holder(_ descriptor: Int32, _ path: String, _ files: any StoreFiles) -> Int32? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { buffer.deallocate() }
        guard let count = try? files.readFully(descriptor, into: buffer, of: path) else { return nil }
        return Int32(String(decoding: buffer[..<count], as: UTF8.self).prefix { $0.isNumber })
    }
}

extension StoreFiles {
    /// Whether `path` still refers to the open file.
    func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var open = stat()
        var named = stat()
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}

extension StoreLock {
    /// Takes the lock, waiting for its holder until `cancellation` is signaled. Blocks.
    ///
    /// The kernel's wait cannot be cancelled, so a separate thread waits. After a cancellation, that thread continues
    /// to wait and releases the lock as soon as it acquires it.
    static func takeWaiting(
        _ folder: String, _ files: any StoreFiles, _ cancellation: CancellationSignal
    ) throws(StoreError) -> StoreLock {
        let arrived = CancellationSignal()
        let shared = Shared()
        let wait: @Sendable () -> Void = {
            do throws(FileFailure) {
                if case .taken(let lock) = try take(folder, waiting: true, files) { shared.put(.success(lock)) }
            } catch {
                shared.put(.failure(error))
            }
            arrived.cancel()
        }
        // If no thread can be started, the wait cannot be cancelled.
        if !startThread("store-lock", wait) { wait() }
        while !arrived.isCancelled, !cancellation.isCancelled {
            _ = try? Poll.wait([arrived, cancellation].map { ($0.descriptor, events: POLLIN) })
        }
        switch shared.take() {
        case .success(let lock) where !cancellation.isCancelled: return lock
        case .failure(let failure): throw .file(failure)
        default: throw .cancelled
        }
    }

    private final class Shared: Sendable {
        private let value = Mutex<Result<StoreLock, FileFailure>?>(nil)

        func put(_ result: Result<StoreLock, FileFailure>) { value.withLock { $0 = result } }

        func take() -> Result<StoreLock, FileFailure>? {
            value.withLock { value in
                defer { value = nil }
                return value
            }
        }
    }
}
