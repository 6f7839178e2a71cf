import Glibc

/// Writes bytes to a file descriptor that the caller opens and closes.
package struct DescriptorWriter: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes all bytes, or throws. Blocks until the reader takes them, also on a non-blocking descriptor.
    ///
    /// A closed pipe throws `.brokenPipe` if the process ignores `SIGPIPE`; with the default action the process ends.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written >= 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw .brokenPipe
            case let code: throw .failed(code: code)
            }
        }
    }

    package func write(_ text: String) throws(OutputError) {
        let bytes = Array(text.utf8)
        let outcome = bytes.withUnsafeBytes { buffer -> OutputError? in
            do throws(OutputError) {
                try write(buffer)
                return nil
            } catch {
                return error
            }
        }
        if let outcome { throw outcome }
    }

    /// A terminal gives EAGAIN if another program has made it non-blocking. No data may be lost then.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }
}
