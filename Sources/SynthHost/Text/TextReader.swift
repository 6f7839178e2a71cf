import Glibc
package import SpeechScript
package import System

/// Utterances of plain text that is read from a file or a pipe as it is needed.
package final class TextReader: TextSource, @unchecked Sendable {
    package let byteCount: Int?
    package var file: RegularFile? { RegularFile(descriptor: input.raw) }
    private let input: Descriptor
    private let name: String
    private let stopped: WakeUp
    /// Used by the one thread that calls `next`.
    private var script = LiveScript()
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// - Parameter name: what messages call it.
    package init(_ input: Descriptor, name: String) throws(SpeechFailure) {
        self.input = input
        self.name = name
        var status = stat()
        guard fstat(input.raw, &status) == 0 else { throw .input(name, Errno.last) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .input(name, Errno(EISDIR)) }
        byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
        do {
            stopped = try WakeUp()
        } catch {
            throw .input(name, error)
        }
    }

    /// Opens a file.
    package convenience init(path: String) throws(SpeechFailure) {
        let input: Descriptor
        do {
            input = try Descriptor.open(path, O_RDONLY)
        } catch {
            throw .input(path, error)
        }
        try self.init(input, name: path)
    }

    deinit { chunk.deallocate() }

    package func stop() { stopped.signal() }

    /// Throws where a regular file is no text, before anything of it is spoken. Reads all of it, at its own offsets.
    package func checkText() throws(SpeechFailure) {
        guard byteCount != nil else { return }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
        defer { chunk.deallocate() }
        var validator = UTF8Validator()
        var offset = 0
        while true {
            let count: Int
            do {
                count = try Errno.check { pread(input.raw, chunk.baseAddress, chunk.count, off_t(offset)) }
            } catch {
                throw .input(name, error)
            }
            do throws(TextError) {
                if count == 0 { return try validator.finish() }
                try validator.validate(
                    UnsafeRawBufferPointer(rebasing: chunk[..<count]).bindMemory(to: UInt8.self).span)
            } catch {
                throw .text(error)
            }
            offset += count
        }
    }

    package func beginSoon(whereverThat isAwaited: @escaping @Sendable () -> Bool) {
        script.beginSoon(whereverThat: isAwaited)
    }

    package func next() throws(SpeechFailure) -> Utterance? {
        try script.next(
            isLive: byteCount == nil, wait: wait, read: read,
            append: { script, bytes throws(TextError) in try script.append(bytes) })
    }

    private func wait(limit: Duration?) throws(SpeechFailure) -> LiveScript.Arrival {
        do {
            let ready = try Poll.wait(
                [(input.raw, events: POLLIN), (stopped.descriptor.raw, events: POLLIN)], timeout: limit)
            if ready[1] != 0 { return .stopped }
            return ready[0] != 0 ? .text : .silence
        } catch {
            throw .input(name, error)
        }
    }

    /// The bytes that came, until the next read; nil at the end.
    private func read() throws(SpeechFailure) -> UnsafeRawBufferPointer? {
        do {
            let count = try input.read(into: chunk)
            return count == 0 ? nil : UnsafeRawBufferPointer(rebasing: chunk[..<count])
        } catch {
            throw .input(name, error)
        }
    }
}
