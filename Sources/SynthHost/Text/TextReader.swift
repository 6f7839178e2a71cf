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
    private var script = PlainTextScript()
    private var isAtEnd = false
    /// Whether nothing came for a while behind what came last.
    private var wasSilent = false
    private var isAwaited: @Sendable () -> Bool = { false }
    /// What is wrong with the text; told once all before it is spoken.
    private var failure: TextError?
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// How long a pipe may be silent before what it said last counts as said.
    private static let patience = Duration.milliseconds(150)

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
        script.limits = .early
        self.isAwaited = isAwaited
    }

    package func next() throws(SpeechFailure) -> Utterance? {
        var isPatient = byteCount == nil
        while true {
            if let utterance = script.next() { return utterance }
            if let failure { throw .text(failure) }
            if isAtEnd { return nil }
            switch try wait(patience: isPatient ? Self.patience : nil) {
            case .text:
                if wasSilent, isAwaited() { script.beginAnew() }
                wasSilent = false
                try read()
                isPatient = byteCount == nil
            case .silence:
                // A sentence or a line that is complete is not held back for what may follow.
                script.flushIdle()
                isPatient = false
                wasSilent = true
            case .stopped:
                isAtEnd = true
                return nil
            }
        }
    }

    private enum Arrival {
        case text
        case silence
        case stopped
    }

    private func wait(patience: Duration?) throws(SpeechFailure) -> Arrival {
        do {
            let ready = try Poll.wait(
                [(input.raw, events: POLLIN), (stopped.descriptor.raw, events: POLLIN)], timeout: patience)
            if ready[1] != 0 { return .stopped }
            return ready[0] != 0 ? .text : .silence
        } catch {
            throw .input(name, error)
        }
    }

    private func read() throws(SpeechFailure) {
        let count: Int
        do {
            count = try input.read(into: chunk)
        } catch {
            throw .input(name, error)
        }
        do throws(TextError) {
            if count == 0 {
                isAtEnd = true
                try script.finish()
            } else {
                try script.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            }
        } catch {
            failure = error
        }
    }
}
