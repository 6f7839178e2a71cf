import Glibc
import System

/// The kernel's lock on one entry. It is released when its process has ended, and a download that this process started
/// has ended too: the child has the same open file, so no other process writes while the child still does.
final class StoreLock: Sendable {
    let descriptor: Int32
    private let files: any StoreFiles

    private init(descriptor: Int32, files: any StoreFiles) {
        self.descriptor = descriptor
        self.files = files
    }

    deinit { files.close(descriptor) }

    /// Takes the lock, or returns its holder. Blocks only with `waiting`.
    ///
    /// - Parameter folder: the entry's folder; made if it does not exist.
    static func take(
        _ folder: String, waiting: Bool, _ files: any StoreFiles
    ) throws(FileFailure) -> Outcome {
        try files.makeFolders(folder)
        let path = folder.child(StoreLayout.lockName)
        let descriptor = try files.openFully(path, for: .locking)
        let lock = StoreLock(descriptor: descriptor, files: files)
        while true {
            do {
                guard try files.lock(descriptor, waiting: waiting, of: path) else {
                    return .held(by: holder(descriptor, path, files))
                }
                break
            } catch  where error.reason == .interrupted {
                continue
            }
        }
        // The process that had the lock may have removed the entry, and the lock file with it.
        guard files.isSame(descriptor, path) else { return try take(folder, waiting: waiting, files) }
        try files.truncate(descriptor, of: path)
        let words = "\(getpid())\n"
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: words.utf8.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: words.utf8)
        try files.writeFully(descriptor, UnsafeRawBufferPointer(copy), of: path)
        return .taken(lock)
    }

    /// Whether the lock is held at this moment. Makes no file.
    static func isHeld(_ folder: String, _ files: any StoreFiles) -> Bool {
        let path = folder.child(StoreLayout.lockName)
        guard let descriptor = try? files.openFully(path, for: .reading) else { return false }
        defer { files.close(descriptor) }
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
    /// Whether `path` still names the open file.
    func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var open = stat()
        var named = stat()
        return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0
            && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}
