import Glibc

/// A file as it was when it was complete and on the disk.
struct CheckedFile: Equatable, Sendable {
    var state: FileState
    var digest: UInt64

    init(state: FileState, digest: UInt64) { (self.state, self.digest) = (state, digest) }

    /// Reads a file and waits until it is on the disk.
    init(_ path: String) throws(DiskFile.Failure) {
        // The first needs a processor, and then the disk has work.
        digest = try DiskFile.digest(of: path)
        let file = try DiskFile(reading: path)
        try file.synchronize()
        guard let state = FileState(path: path) else { throw DiskFile.Failure(code: ENOENT) }
        self.state = state
    }

    /// Whether a file is this one, or a copy. It is read only if nobody can tell otherwise.
    func isSame(_ path: String) -> Bool {
        guard let found = FileState(path: path), found.size == state.size else { return false }
        return found == state || (try? DiskFile.digest(of: path)) == digest
    }

    /// For the cache's record.
    var text: String { "\(state.size) \(state.inode) \(state.modified) \(digest)" }

    /// Several of them; `nil` if the line is damaged.
    static func files(_ line: some StringProtocol) -> [CheckedFile]? {
        let words = line.split(separator: " ")
        let files = stride(from: 0, to: words.count - 3, by: 4).compactMap { CheckedFile(words[$0..<$0 + 4]) }
        return files.count * 4 == words.count ? files : nil
    }

    private init?(_ words: ArraySlice<some StringProtocol>) {
        let words = words.map { String($0) }
        guard let size = UInt64(words[0]), let inode = UInt64(words[1]), let digest = UInt64(words[3]) else {
            return nil
        }
        self.init(state: FileState(size: size, inode: inode, modified: words[2]), digest: digest)
    }
}
