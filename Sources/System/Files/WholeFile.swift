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
