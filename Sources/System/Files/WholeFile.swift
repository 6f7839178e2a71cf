import Glibc

/// All bytes of a regular file. `EFBIG` if there are more than `limit`.
package func readWholeFile(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    let file = try Descriptor.openRegular(path).file
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    defer { chunk.deallocate() }
    while true {
        let count = try file.read(into: chunk)
        if count == 0 { return bytes }
        bytes.append(contentsOf: chunk[..<count])
        if bytes.count > limit { throw .fileTooLarge }
    }
}

/// Replaces a file atomically, without waiting for the disk. Also removes the temporary files of killed processes.
package func replaceFile(_ path: String, with bytes: [UInt8]) throws(Errno) {
    let (folder, name) =
        path.lastIndex(of: "/").map { (path[..<$0], path[path.index(after: $0)...]) } ?? (".", path[...])
    Leftovers.remove(in: folder.isEmpty ? "/" : String(folder), prefix: "\(name).", suffix: ".new")
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max)).new"
    do throws(Errno) {
        let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        try file.writeAll(bytes)
        try Errno.check { rename(temporary, path) }
    } catch {
        unlink(temporary)
        throw error
    }
}
