import Glibc

/// A file mapped into memory, optionally with bytes appended to it.
///
/// If a mapped file shrinks, reading the missing part kills the process, so a model's files must not change while the
/// process runs.
package struct MappedFile: ~Copyable {
    package let bytes: UnsafeRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let mappingSize: Int

    /// Maps a file. `appendix` follows the content in memory only.
    package init(_ path: String, appendix: [UInt8] = []) throws(InferenceError) {
        let descriptor: Int32
        do {
            descriptor = try DiskFile.open(path, O_RDONLY, S_IFREG)
        } catch {
            let isOther = error as? InferenceError == .file(code: EINVAL)
            throw InferenceError(.model, isOther ? "it is not a regular file" : "the file cannot be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else {
            throw InferenceError(.model, "the file is empty")
        }
        let size = Int(status.st_size)
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let mappingSize = (size + appendix.count + page - 1) / page * page
        // First map anonymous pages, and then map the file over the first of them so that the remaining bytes are
        // writable.
        let pages = mmap(nil, mappingSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let pages, pages != MAP_FAILED else { throw InferenceError(.library, "there is not enough memory") }
        guard mmap(pages, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, descriptor, 0) != MAP_FAILED else {
            munmap(pages, mappingSize)
            throw InferenceError(.model, "the file cannot be mapped")
        }
        UnsafeMutableRawBufferPointer(start: pages + size, count: appendix.count).copyBytes(from: appendix)
        mapping = pages
        self.mappingSize = mappingSize
        bytes = UnsafeRawBufferPointer(start: pages, count: size + appendix.count)
    }

    /// Changes some bytes in memory only.
    package mutating func overwrite(_ offsets: [Int], with byte: UInt8) {
        for offset in offsets where bytes.indices.contains(offset) {
            mapping.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }

    deinit {
        munmap(mapping, mappingSize)
    }
}
