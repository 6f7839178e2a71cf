import Glibc
package import SynthScript
package import SynthSystem

/// Reads utterances of plain text from a file or a pipe. The first 16 MiB of a file are read when it is opened, so that
/// a file that is not text is rejected before synthesis starts. The remainder of the file, or all data from a pipe, is
/// read on demand. The input is read only once.
package final class TextReader: TextSource, @unchecked Sendable {
    package let byteCount: Int?
    package var file: RegularFile? { RegularFile(descriptor: input.raw) }
    private let input: Descriptor
    private let name: String
    private let stopped: WakeUp
    /// Used only on the thread that calls `next`.
    private var script = LiveScript()
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// Bytes that have been read from the file but not processed. Used only on the thread that calls `next`.
    private var head: ArraySlice<UInt8> = []
    private var isRead = false

    /// The number of bytes to read when a file is opened, which is more than any book contains.
    private static let longestHead = 16 << 20

    /// - Parameter name: the name for error messages.
    /// - Throws: `fileNotReadable` if the input cannot be read; `textInvalid` if a file is not UTF-8 text.
    package init(_ input: Descriptor, name: String) throws(SpeechError) {
        self.input = input
        self.name = name
        var status = stat()
        guard fstat(input.raw, &status) == 0 else { throw .notReadable(name, Errno.last) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .notReadable(name, Errno(EISDIR)) }
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
        stopped = try rethrowing(WakeUp(), as: { (error: Errno) in SpeechError.notReadable(name, error) })
        if byteCount != nil { try readHead() }
    }

    /// Opens a file.
    package convenience init(path: String) throws(SpeechError) {
        let input = try rethrowing(
            Descriptor.open(path, O_RDONLY), as: { (error: Errno) in SpeechError.notReadable(path, error) })
        try self.init(input, name: path)
    }

    deinit { chunk.deallocate() }

    package func stop() { stopped.signal() }

    private func readHead() throws(SpeechError) {
        var validator = UTF8Validator()
        while head.count < Self.longestHead {
            guard let bytes = try readOn() else {
                isRead = true
                break
            }
            try validator.validate(bytes.bindMemory(to: UInt8.self).span)
            head += bytes
        }
        guard isRead else { return }
        try validator.finish()
    }

    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        script.beginSoon(ifAwaited: isAwaited)
    }

    package func next() throws(SpeechError) -> ScriptStep? {
        try script.next(
            isLive: byteCount == nil, wait: wait,
            append: { script, bytes throws(SpeechError) in try script.append(bytes) })
    }

    private func wait(limit: Duration?) throws(SpeechError) -> LiveScript.Arrival<UnsafeRawBufferPointer> {
        let isReady = !head.isEmpty || isRead
        let waited = [stopped.descriptor, isReady ? nil : input].compactMap(\.self).map { ($0.raw, events: POLLIN) }
        let ready = try rethrowing(
            Poll.wait(waited, timeout: isReady ? .zero : limit),
            as: { (error: Errno) in SpeechError.notReadable(name, error) })
        if ready[0] != 0 { return .stopped }
        return isReady || ready[1] != 0 ? .text(try read()) : .silence
    }

    /// Returns the next bytes, or nil at the end. The bytes are valid until the next read.
    private func read() throws(SpeechError) -> UnsafeRawBufferPointer? {
        guard head.isEmpty else {
            let part = head.prefix(chunk.count)
            // An empty slice would keep the entire buffer alive.
            head = part.count < head.count ? head.dropFirst(part.count) : []
            chunk.copyBytes(from: part)
            return UnsafeRawBufferPointer(rebasing: chunk[..<part.count])
        }
        return isRead ? nil : try readOn()
    }

    private func readOn() throws(SpeechError) -> UnsafeRawBufferPointer? {
        do {
            let count = try input.read(into: chunk)
            return count == 0 ? nil : UnsafeRawBufferPointer(rebasing: chunk[..<count])
        } catch {
            throw .notReadable(name, error)
        }
    }
}

/// Reads a complete script from a file or a pipe. A script must be complete before it can be planned.
package enum ScriptFile {
    /// The maximum size of a script in bytes, which is larger than any book.
    private static let longest = 16 << 20

    /// Reads a script.
    ///
    /// - Parameter name: the name for error messages.
    package static func read(_ input: borrowing Descriptor, name: String) throws(SpeechError) -> [UInt8] {
        var document: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count: Int
            do {
                count = try input.read(into: chunk)
            } catch {
                throw .notReadable(name, error)
            }
            if count == 0 { return document }
            document += chunk[..<count]
            guard document.count <= longest else {
                throw SpeechError(
                    ScriptError(.tooLong(limit: longest), at: ScriptPosition(of: longest, in: document.span)))
            }
        }
    }
}
