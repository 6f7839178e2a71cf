import Glibc

/// Access control lists for tests (acl(5)).
enum AccessControl {
    /// Sets a file's access control list. Returns false if the file system does not support such lists.
    static func set(_ entries: [(tag: UInt8, permissions: UInt8)], named user: UInt32, on path: String) -> Bool {
        // Swift's Glibc module does not include this function.
        typealias Set =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
        guard let symbol = dlsym(nil, "setxattr") else { return false }
        var bytes: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            let id = entry.tag == 2 ? user : .max
            bytes += [entry.tag, 0, entry.permissions, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> ($0 * 8)) }
        }
        return unsafeBitCast(symbol, to: Set.self)(path, "system.posix_acl_access", bytes, bytes.count, 0) == 0
    }
}
