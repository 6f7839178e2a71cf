import Glibc

package enum FolderListing {
    /// The names in a folder, in no order, without `.` and `..`; empty if it cannot be read.
    package static func names(in folder: String) -> [String] { (try? read(folder)) ?? [] }

    /// The size of all regular files below a folder, in bytes. Links are not followed, and what cannot be read counts
    /// as nothing.
    package static func bytes(below folder: String) -> Int64 {
        names(in: folder).reduce(0) { sum, name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return sum }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return sum + Int64(status.st_size)
            case S_IFDIR: return sum + bytes(below: "\(folder)/\(name)")
            default: return sum
            }
        }
    }

    /// The names in a folder, in no order, without `.` and `..`.
    package static func read(_ folder: String) throws(Errno) -> [String] {
        guard let stream = opendir(folder) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw .last }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }
}
