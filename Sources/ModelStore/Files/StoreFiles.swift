/// The system calls that the store makes on files. Each call may be interrupted, and a write may be short; the
/// extension handles both, so that a test double can make any call fail. Calls that change something below the store's
/// root follow no link; see `SystemFiles`.
package protocol StoreFiles: Sendable {
    func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32
    func close(_ descriptor: Int32)
    /// - Returns: the number of bytes; 0 = the end.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String) throws(FileFailure)
        -> Int
    /// - Returns: how many bytes were written; at least one unless `buffer` is empty.
    func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure) -> Int
    func truncate(_ descriptor: Int32, of path: String) throws(FileFailure)
    func sync(_ descriptor: Int32, of path: String) throws(FileFailure)
    /// - Returns: `false` if another process has the lock; only without `waiting`.
    func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool
    func rename(_ path: String, to other: String) throws(FileFailure)
    func removeFile(_ path: String) throws(FileFailure)
    func removeFolder(_ path: String) throws(FileFailure)
    func makeFolder(_ path: String) throws(FileFailure)
    /// Names without `.` and `..`, in no order.
    func names(in folder: String) throws(FileFailure) -> [String]
    /// The status of the path itself, or of the target of a link.
    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus
    /// The free space for ordinary users on the file system of `path`, in bytes.
    func freeBytes(at path: String) throws(FileFailure) -> Int64
    /// Sets the time of the last change to now.
    func touch(_ path: String) throws(FileFailure)
}
