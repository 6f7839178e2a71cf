package import VoiceCatalogue
package import ModelStore

/// SHA-256 and MD5 by libarchive's mtree writer, which uses the machine's cryptographic library.
package enum FileDigest {
    /// The digest of a finished file. Blocks for about a second per gigabyte.
    ///
    /// - Parameter purpose: `given` follows links.
    /// - Returns: `nil` if the size of the file changed meanwhile.
    package static func compute(
        _ algorithm: Digest.Algorithm, of path: String, _ files: any StoreFiles, for purpose: OpenPurpose = .reading
    ) throws(FileFailure) -> Digest? {
        let size = try files.status(of: path, followingLinks: purpose == .given).size
        let descriptor = try files.openFully(path, for: purpose)
        defer { files.close(descriptor) }
        guard let writer = MtreeWriter(algorithm, size: size) else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        var read: Int64 = 0
        while true {
            let count = try files.readFully(descriptor, into: buffer, of: path)
            if count == 0 { break }
            read += Int64(count)
            if read > size { return nil }
            writer.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        return read == size ? writer.finish() : nil
    }
}
