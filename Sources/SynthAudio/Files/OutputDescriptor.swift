import CSynthALSA  // Provides `pollfd`, whose module differs between builds.
import Glibc
import SynthSystem

/// A descriptor for sequential output to a file, a pipe or a terminal.
struct OutputDescriptor: ~Copyable {
    let name: OutputName
    /// Whether earlier bytes can be overwritten.
    let isRegularFile: Bool
    /// The number of bytes written.
    private(set) var count = 0
    private let descriptor: Int32
    private var isOwned: Bool
    /// The file that appears at its path on closing, or nil if the output is written in place.
    private var replacement: ReplacementFile?
    private var replaces = true
    private let inUse: FilesInUse

    /// Borrows a descriptor that the caller closes. It is treated as a stream even if it is a regular file.
    init(borrowing descriptor: Int32) {
        self.descriptor = descriptor
        isOwned = false
        isRegularFile = false
        inUse = FilesInUse()
        name = .descriptor(descriptor)
    }

    /// Opens a file that appears at its path on closing. If the value is destroyed before that, an existing file is unchanged.
    /// Anything other than a regular file is written in place, as is an empty file in a folder that is not writable.
    /// Opening a FIFO blocks until it has a reader or `stop` is raised.
    ///
    /// - Parameters:
    ///   - inUse: files that must not be replaced.
    ///   - mode: the mode of a new file, before applying the umask.
    /// - Returns: nil if `stop` was raised before the file was open.
    /// - Throws: `outputNotCreated`, `outputLinkLeadsNowhere`, `outputNotReplaced`, `outputInUse`. In that case, an
    ///   existing file is unchanged.
    init?(
        _ path: String, sparing inUse: FilesInUse, mode: UInt32 = 0o666, until stop: StopSignal
    ) throws(AudioError) {
        name = .file(path)
        self.inUse = inUse
        do { try Errno.checkName(path) } catch { throw Self.failure(path, error.code) }
        if let use = inUse.use(ofPath: path) { throw .outputInUse(path: path, use, kept: nil) }
        if let file = try Self.replacement(of: path, mode: mode) {
            descriptor = file.file.raw
            replacement = consume file
            isOwned = false
            isRegularFile = true
        } else {
            guard let (descriptor, isRegularFile) = try Self.open(path, until: stop) else { return nil }
            (self.descriptor, self.isRegularFile) = (descriptor, isRegularFile)
            isOwned = true
        }
    }

    /// Opens a file that appears at its path on closing, unless the path exists by then.
    ///
    /// - Throws: `outputNotCreated`, `outputLinkLeadsNowhere`, `outputInUse`.
    init(new path: String, sparing inUse: FilesInUse) throws(AudioError) {
        name = .file(path)
        self.inUse = inUse
        do { try Errno.checkName(path) } catch { throw Self.failure(path, error.code) }
        if let use = inUse.use(ofPath: path) { throw .outputInUse(path: path, use, kept: nil) }
        var status = stat()
        if lstat(path, &status) == 0 { throw .outputNotCreated(path: path, code: EEXIST) }
        let file: ReplacementFile
        do { file = try ReplacementFile(at: path) } catch { throw Self.failure(path, error.code) }
        descriptor = file.file.raw
        replacement = consume file
        isOwned = false
        isRegularFile = true
        replaces = false
    }

    /// Throws the errors that opening a regular file at this path would throw but has no side effects.
    static func check(_ path: String, sparing inUse: FilesInUse) throws(AudioError) {
        if let use = inUse.use(ofPath: path) { throw .outputInUse(path: path, use, kept: nil) }
        if isFolder(path) { throw .outputNotCreated(path: path, code: EISDIR) }
        _ = try replacement(of: path, mode: 0o600)
    }

    deinit {
        if isOwned { Glibc.close(descriptor) }
    }

    /// Writes all bytes, in multiples of `unit` bytes so that a stream never ends in the middle of a unit.
    ///
    /// - Returns: false if `stop` was raised before all bytes were written. A regular file is always written completely.
    /// - Throws: `brokenPipe`, `outputNotWritten`.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, unit: Int, until stop: StopSignal
    ) throws(AudioError) -> Bool {
        // A ready stream accepts PIPE_BUF bytes without blocking, so a stop is always detected.
        let most = isRegularFile ? 1 << 20 : max(unit, 4096 / unit * unit)
        var rest = bytes[...]
        while !rest.isEmpty {
            if !isRegularFile && !waitForSpace(until: stop) { return false }
            let written = Self.writeQuietly(descriptor, UnsafeRawBufferPointer(rebasing: rest.prefix(most)))
            if written >= 0 {
                count += written
                rest = rest.dropFirst(written)
            } else {
                switch errno {
                case EINTR, EAGAIN: continue
                case EPIPE: throw .brokenPipe
                case let code: throw .outputNotWritten(name: name, code: code)
                }
            }
        }
        return true
    }

    /// Overwrites bytes of a regular file at `offset`.
    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
        var done = 0
        while done < bytes.count {
            let written = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                throw .outputNotWritten(name: name, code: written == 0 ? EIO : errno)
            }
        }
    }

    /// Truncates a regular file to `count` bytes.
    mutating func truncate(to count: Int) {
        // If this fails, an incomplete frame remains at the end, which readers skip.
        if ftruncate(descriptor, off_t(count)) == 0 { self.count = count }
    }

    /// Closes an owned descriptor. A file then appears at its path.
    ///
    /// - Returns: the path of the resulting file, or nil if there is none or it is not a regular file.
    /// - Throws: `outputNotWritten` if the file system reports that data was lost earlier; `outputNotCreated` if the
    ///   file cannot be renamed; `outputInUse` if this program has started to read a file at the path.
    @discardableResult
    mutating func close(_ ending: FileEnding = .whole) throws(AudioError) -> String? {
        guard case .file(let path) = name else { return nil }
        if let file = replacement.take() {
            let use = inUse.use(ofPath: path)
            let location: String?
            do {
                location = try file.publish(use != nil && ending == .whole ? .stopped : ending, replaces: replaces)
            } catch {
                if [EIO, ENOSPC, EDQUOT].contains(error.code) {
                    throw .outputNotWritten(name: name, code: error.code)
                }
                throw .outputNotCreated(path: path, code: error.code)
            }
            if let use { throw .outputInUse(path: path, use, kept: location) }
            return location
        }
        guard isOwned else { return nil }
        isOwned = false
        // Linux closes the descriptor even if `close` fails with EINTR.
        if Glibc.close(descriptor) != 0 && errno != EINTR {
            throw .outputNotWritten(name: name, code: errno)
        }
        return isRegularFile ? path : nil
    }

    private static func open(
        _ path: String, until stop: StopSignal
    ) throws(AudioError) -> (descriptor: Int32, isRegularFile: Bool)? {
        // Non-blocking, because a blocking `open` of a FIFO would wait for a reader without detecting a stop.
        var descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        if descriptor < 0, errno == ENXIO, isFIFO(path) {
            var none: [pollfd] = []
            // No event reports that a reader has opened the FIFO, so retry.
            repeat {
                if stop.wait(for: &none, timeout: .milliseconds(20)) == .stopped { return nil }
                descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
            } while descriptor < 0 && errno == ENXIO
        }
        guard descriptor >= 0 else { throw failure(path, errno) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var status = stat()
        return (descriptor, fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    }

    /// Returns nil if the file can only be written in place.
    private static func replacement(of path: String, mode: UInt32) throws(AudioError) -> ReplacementFile? {
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG { return nil }
        do {
            // A private file remains private even if it replaces a file that others can read.
            return try ReplacementFile(at: path, mode: mode, mask: mode & 0o077 == 0 ? mode : 0o777)
        } catch {
            guard isThere, error == .noAccess || error == .notPermitted, access(path, W_OK) == 0 else {
                throw failure(path, error.code)
            }
            // An error while writing in place would destroy the existing content.
            if status.st_size > 0 { throw .outputNotReplaced(path: path) }
            return nil
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> AudioError {
        guard code == ENOENT else { return .outputNotCreated(path: path, code: code) }
        if let target = LinkTarget.of(path) {
            return .outputLinkLeadsNowhere(link: path, target: target, folder: LinkTarget.folder(of: target))
        }
        let folder = LinkTarget.folder(of: path)
        if let target = LinkTarget.of(folder) {
            return .outputLinkLeadsNowhere(link: folder, target: target, folder: target)
        }
        return .outputNotCreated(path: path, code: code)
    }

    private static func isFIFO(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private func waitForSpace(until stop: StopSignal) -> Bool {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        return stop.wait(for: &descriptors, timeout: nil) != .stopped
    }

    /// Writes like `write(2)`, but masks and consumes SIGPIPE and SIGXFSZ, which would otherwise terminate the process.
    private static func writeQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let written = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        let code = errno
        if written < 0 && (code == EPIPE || code == EFBIG) {
            var now = timespec()
            sigtimedwait(&signals, nil, &now)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return written
    }
}
