import Glibc
package import SynthSystem

/// A text output stream for the user or another program: standard output, standard error, or a closure in a test.
package struct TextOutput: Sendable {
    package let style: TerminalStyle
    private let currentColumns: @Sendable () -> Int
    private let send: @Sendable (String) throws(TerminalError) -> Void

    package init(
        style: TerminalStyle, columns: @escaping @Sendable () -> Int = { 80 },
        send: @escaping @Sendable (String) throws(TerminalError) -> Void
    ) {
        self.style = style
        self.currentColumns = columns
        self.send = send
    }

    /// Creates a stream that writes to a descriptor, which must stay open while the stream is used.
    package init(
        descriptor: Int32, environment: @escaping @Sendable (String) -> String? = TerminalStyle.processEnvironment
    ) {
        let writer = DescriptorWriter(descriptor: descriptor)
        self.init(
            style: TerminalStyle(descriptor: descriptor, environment: environment),
            columns: { TerminalStyle.columns(of: descriptor, environment: environment) },
            send: { text throws(TerminalError) in try writer.write(text) })
    }

    package static var standardOutput: TextOutput { TextOutput(descriptor: STDOUT_FILENO) }
    package static var standardError: TextOutput { TextOutput(descriptor: STDERR_FILENO) }

    /// The same stream, without color and animation.
    package var plain: TextOutput { TextOutput(style: style.withoutDrawing, columns: currentColumns, send: send) }

    /// The current number of columns. It changes when the terminal is resized.
    package var width: Int { currentColumns() }

    /// Writes lines created by the program. Line feeds are kept, and other control characters are replaced with spaces.
    /// Like all methods that write to a stream, this one can block until the reader accepts the text.
    package func write(_ text: String) throws(TerminalError) {
        try send(CleanText.lines(text))
    }

    /// Writes a line. Line breaks in the text are replaced with spaces.
    package func writeLine(_ text: String) throws(TerminalError) {
        try send(CleanText.line(text) + "\n")
    }

    /// Writes a line for another program. Because paths may contain any character, the text is unchanged unless the
    /// output is a terminal.
    package func writeData(_ text: String) throws(TerminalError) {
        if style.isTerminal { try writeLine(text) } else { try send(text + "\n") }
    }

    /// Writes the text unchanged, including escape sequences. The caller must sanitize all external text in it.
    package func draw(_ text: String) throws(TerminalError) {
        try send(text)
    }
}

/// Writes bytes to a file descriptor that the caller opens and closes.
package struct DescriptorWriter: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes all bytes, or throws. Blocks until the reader accepts the bytes, even if the descriptor is non-blocking.
    ///
    /// If the reader has closed the pipe, throws `.brokenPipe` in a process that ignores `SIGPIPE`. By default, the
    /// signal would end the process.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TerminalError) {
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

    /// Writes the text. Blocks until all of it has been written.
    package func write(_ text: String) throws(TerminalError) {
        let bytes = Array(text.utf8)
        try bytes.span.withUnsafeBytes { (bytes) throws(TerminalError) in try write(bytes) }
    }

    /// Blocks until the descriptor is writable. A write to a terminal fails with EAGAIN if another program has made it
    /// non-blocking.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
    }
}

/// Why text could not be written or a question was not answered.
package enum TerminalError: Error, Equatable, Sendable {
    /// The reader has closed the pipe, as in `voices | head -1`. The program should exit without a message.
    case brokenPipe
    /// Writing failed for another reason. `code` is the `errno` from `write(2)`.
    case failed(code: Int32)
    /// A question was interrupted by Ctrl-C or another signal.
    case interrupted
    /// The input ended (Ctrl-D) before the user answered, or the user entered several invalid answers.
    case cancelled
    /// A question could not be asked because reading from or writing to the terminal failed. `code` is the `errno`.
    case noAnswer(code: Int32)
}

extension TerminalError: ErrorCause {
    package var code: SpeechError.Code {
        switch self {
        case .brokenPipe: .readerGone
        case .failed: .terminalFailed
        case .noAnswer: .questionUnanswered
        case .interrupted, .cancelled: .cancelled
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .failed(let code), .noAnswer(let code): .init(errno: code)
        case .brokenPipe, .interrupted, .cancelled: .init()
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .brokenPipe: .keepReaderRunning
        case .failed(ENOSPC), .failed(EDQUOT): .freeSpace(for: .text)
        case .failed(EBADF): .keepOutputOpen
        case .failed: .chooseFile(for: .text)
        case .interrupted, .cancelled, .noAnswer: .answerByOption
        }
    }

    package var message: String {
        switch self {
        case .brokenPipe: "The program that reads the output has exited."
        case .failed(EBADF): "The output is closed."
        case .failed(let code): "Cannot write the output: \(Errno(code))."
        case .interrupted: "Interrupted."
        case .cancelled: "Cancelled."
        case .noAnswer(let code): "Cannot prompt on the terminal: \(Errno(code))."
        }
    }
}

/// Sanitizes external text before it is written to a terminal, such as names in downloaded files, messages from servers
/// and engines, and paths.
///
/// All code that writes to a terminal uses these functions, so that external text cannot move the cursor, change
/// colors, reverse the reading direction or imitate the program's own output.
package enum CleanText {
    /// Sanitizes a line. Control characters, including line breaks, are replaced with spaces.
    ///
    /// - Parameter limit: the maximum number of Unicode scalars. Longer text is truncated with "…".
    package static func line(_ text: String, limit: Int = .max) -> String {
        replaceSteering(in: shorten(text, to: limit), keepsLineFeeds: false)
    }

    /// Sanitizes multi-line text. Line feeds are kept, and other control characters are replaced with spaces.
    package static func lines(_ text: String) -> String {
        replaceSteering(in: text, keepsLineFeeds: true)
    }

    private static func replaceSteering(in text: String, keepsLineFeeds: Bool) -> String {
        let isBad: (Unicode.Scalar) -> Bool = { $0.steersTerminal && !(keepsLineFeeds && $0 == "\n") }
        guard text.unicodeScalars.contains(where: isBad) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isBad(scalar) ? " " : scalar) }
        return String(result)
    }

    private static func shorten(_ text: String, to limit: Int) -> String {
        guard limit < .max,
            let end = text.unicodeScalars.index(
                text.startIndex, offsetBy: limit, limitedBy: text.unicodeScalars.endIndex), end < text.endIndex
        else { return text }
        return String(text.unicodeScalars[..<end]) + "…"
    }
}
