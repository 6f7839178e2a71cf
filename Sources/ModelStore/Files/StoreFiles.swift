/// Every call to the system that the store makes on files. One call here is one system call: it may be interrupted, it
/// may write less than it was given. What copes with that is in the extension, so that a double can fail any of them.
/// A call that changes something below the store's root reaches it through no link; see `SystemFiles`.
package protocol StoreFiles: Sendable {
    func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> Int32
    func close(_ descriptor: Int32)
    /// 0 = the end.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, of path: String) throws(FileFailure)
        -> Int
    /// Says how many bytes went out; at least one unless `buffer` is empty.
    func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, of path: String) throws(FileFailure) -> Int
    func truncate(_ descriptor: Int32, of path: String) throws(FileFailure)
    func sync(_ descriptor: Int32, of path: String) throws(FileFailure)
    /// `false` = somebody else has it; only without `waiting`.
    func lock(_ descriptor: Int32, waiting: Bool, of path: String) throws(FileFailure) -> Bool
    func rename(_ path: String, to other: String) throws(FileFailure)
    func removeFile(_ path: String) throws(FileFailure)
    func removeFolder(_ path: String) throws(FileFailure)
    func makeFolder(_ path: String) throws(FileFailure)
    /// Names without `.` and `..`, in no order.
    func names(in folder: String) throws(FileFailure) -> [String]
    /// Of the path itself, or of what a link there points to.
    func status(of path: String, followingLinks: Bool) throws(FileFailure) -> FileStatus
    /// What an ordinary user can still write on the file system that holds `path`, in bytes.
    func freeBytes(at path: String) throws(FileFailure) -> Int64
    /// Sets the time of the last change to now.
    func touch(_ path: String) throws(FileFailure)
}
