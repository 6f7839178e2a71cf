import Glibc
import System

/// The kernel's lock on one entry. It ends with the process that holds it, and with the download that this process
/// started: the child has the same open file, so nobody else writes while it still does.
final class StoreLock: Sendable {
    let descriptor: Int32
    private let files: any StoreFiles

    private init(descriptor: Int32, files: any StoreFiles) {
        self.descriptor = descriptor
        self.files = files
    }

    deinit { files.close(descriptor) }

    /// Takes the lock, or says who has it. Blocks only with `waiting`.
    ///
    /// - Parameter folder: the entry's folder; made when it is not there.
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
        // Whoever removed the entry may have removed the file that was waited for.
        guard files.isSame(descriptor, path) else { return try take(folder, waiting: waiting, files) }
        try files.truncate(descriptor, of: path)
        let words = "\(getpid())\n"
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: words.utf8.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: words.utf8)
        try files.writeFully(descriptor, UnsafeRawBufferPointer(copy), of: path)
        return .taken(lock)
    }

    /// Whether somebody has the lock at this moment. Makes nothing.
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
