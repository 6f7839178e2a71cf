import CSynthLinux
import Glibc
package import SynthSystem

/// A terminal that reads single keys and can show a screen. `close` restores the terminal. The controlling terminal of
/// the process is also restored if the process crashes or exits for any reason except SIGKILL. Not thread-safe, except
/// for `close`.
package final class ScreenTerminal: Sendable {
    /// A terminal event.
    package enum Input: Equatable, Sendable {
        case keys([Key])
        /// The size has changed, or another program may have written to the terminal. The next screen is drawn in full.
        case changed
        /// The process should stop until the user resumes it; see ``suspend()``.
        case stop
        /// `wake` was signaled, or the timeout expired.
        case nothing
        /// The terminal was closed.
        case closed
    }

    private struct State {
        var shown: TextScreen?
        var decoder = KeyDecoder()
        /// The time of the last byte from the terminal.
        var readAt = ContinuousClock.now
        var isOpen = false
    }
    private let state = Monitor(State())
    private let descriptor: Int32
    private let settings: termios
    private let guardsProcess: Bool
    private let draws: Bool
    private let wake: WakeUp

    /// The maximum time between Escape and the next byte of the same escape sequence.
    private static let escapeTimeout = Duration.milliseconds(50)

    /// Switches to the alternate screen, so that the contents of the normal screen are kept.
    private static let greeting = "\u{1B}[?1049h"
    /// Turns off line wrapping and hides the cursor.
    private static let modes = "\u{1B}[?7l\u{1B}[?25l"
    private static let farewell: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// - Parameters:
    ///   - descriptor: the descriptor of a terminal, which must stay open for reading and writing while this object is
    ///     used.
    ///   - draws: whether to show screens. Otherwise, only keys are read.
    ///   - guardsProcess: whether the terminal is the controlling terminal of this process, so that signals and crashes
    ///     must be handled.
    ///   - wake: interrupts a wait for keys.
    /// - Throws: `noAnswer` if the descriptor is not a terminal.
    package init(_ descriptor: Int32, draws: Bool, guardsProcess: Bool, wake: WakeUp) throws(TerminalError) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw .noAnswer(code: errno) }
        self.descriptor = descriptor
        self.settings = settings
        self.draws = draws
        self.guardsProcess = guardsProcess
        self.wake = wake
        open()
    }

    deinit { close() }

    /// - Parameter again: whether the terminal has been opened before and has not been closed since.
    private func open(again: Bool = false) {
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        state.update { state in
            state.isOpen = true
            state.shown = nil
            if guardsProcess {
                withUnsafePointer(to: settings) { settings in
                    Self.farewell.withUTF8Buffer { bytes in
                        linux_guard_terminal(
                            descriptor, wake.descriptor.raw, settings,
                            UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                            Int32(draws ? bytes.count : 0))
                    }
                }
            }
            tcsetattr(descriptor, TCSANOW, &raw)
            let words = (again ? "" : Self.greeting) + Self.modes
            if draws { try? DescriptorWriter(descriptor: descriptor).write(words) }
        }
    }

    /// Restores the terminal. Later calls have no effect.
    package func close() {
        state.update { state in
            guard state.isOpen else { return }
            state.isOpen = false
            if guardsProcess { linux_release_terminal() }
            if draws { try? DescriptorWriter(descriptor: descriptor).write("\(Self.farewell)") }
            var settings = settings
            tcsetattr(descriptor, TCSANOW, &settings)
        }
    }

    /// Restores the terminal and stops the process until the user resumes it.
    package func suspend() {
        close()
        if guardsProcess { linux_stop_group() }
        open()
    }

    /// The current size of the terminal, or 80 by 24 if it is unknown.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws a screen by writing only the differences from the current screen.
    package func show(_ screen: TextScreen) throws(TerminalError) {
        let changes = state.update { state -> String in
            guard state.isOpen, draws else { return "" }
            defer { state.shown = screen }
            return screen.changes(from: state.shown)
        }
        if !changes.isEmpty { try DescriptorWriter(descriptor: descriptor).write(changes) }
    }

    /// Blocks until a key is pressed, another event occurs, or the timeout expires.
    package func wait(_ timeout: Duration?) -> Input {
        var timeout = timeout
        // A wake-up by another thread must not extend the wait for the next byte of a sequence.
        let deadline = state.read { $0.decoder.isPending ? $0.readAt + Self.escapeTimeout : nil }
        if let deadline { timeout = min(timeout ?? Self.escapeTimeout, max(.zero, deadline - .now)) }
        guard
            let ready = try? Poll.wait(
                [(descriptor, events: POLLIN), (wake.descriptor.raw, events: POLLIN)], timeout: timeout)
        else { return .closed }
        if ready[1] != 0 { wake.clear() }
        if guardsProcess {
            if linux_terminal_asked_to_stop() { return .stop }
            if linux_terminal_changed() {
                // The shell may have changed the terminal settings.
                open(again: true)
                return .changed
            }
        }
        if ready[0] & POLLIN != 0 { return read() }
        if ready[0] != 0 { return .closed }
        if let deadline, deadline <= .now {
            let keys = state.update { $0.decoder.flush() }
            if !keys.isEmpty { return .keys(keys) }
        }
        return .nothing
    }

    private func read() -> Input {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count == 0 { return .closed }
        if count < 0 { return errno == EINTR || errno == EAGAIN ? .nothing : .closed }
        let keys = state.update { state in
            state.readAt = .now
            return state.decoder.decode(bytes[..<count])
        }
        return keys.isEmpty ? .nothing : .keys(keys)
    }
}

/// A key that was pressed.
package enum Key: Hashable, Sendable {
    /// A printable character or a space.
    case character(Character)
    /// The lowercase letter that was pressed together with Ctrl.
    case control(Character)
    case enter, escape, backspace, tab, delete
    case up, down, left, right, pageUp, pageDown, home, end
}

extension String {
    /// Applies a key to a line of text input. Keys other than characters, Backspace and Ctrl-U have no effect.
    package mutating func edit(with key: Key) {
        switch key {
        case .character(let character): if count < 200 { append(character) }
        case .backspace: if !isEmpty { removeLast() }
        case .control("u"): self = ""
        default: break
        }
    }
}

/// Decodes the bytes from a terminal into keys. A sequence or character may be split across reads.
package struct KeyDecoder: Sendable {
    private var bytes: [UInt8] = []

    /// The maximum number of parameter bytes in an escape sequence. Keys send shorter sequences.
    private static let longestSequence = 32

    package init() {}

    /// Whether the last sequence is incomplete. If no more bytes arrive in time, call ``flush()``.
    package var isPending: Bool { !bytes.isEmpty }

    /// Returns the complete keys. Unknown sequences are skipped.
    package mutating func decode(_ more: some Sequence<UInt8>) -> [Key] {
        bytes += more
        var keys: [Key] = []
        var rest = bytes[...]
        while let (key, length) = Self.first(of: rest) {
            rest = rest.dropFirst(length)
            if let key { keys.append(key) }
        }
        bytes = Array(rest)
        return keys
    }

    /// Ends an incomplete sequence. Returns the Escape key if the sequence begins with Escape.
    package mutating func flush() -> [Key] {
        defer { bytes = [] }
        return bytes.first == 0x1B ? [.escape] : []
    }

    /// Returns the first key and its length in bytes. The key is nil for bytes to skip. Returns nil if more bytes are
    /// needed.
    private static func first(of bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let byte = bytes.first else { return nil }
        switch byte {
        case 0x1B: return sequence(bytes)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(byte + 0x60))), 1)
        case 0x00, 0x1C...0x1F: return (nil, 1)
        default: return character(bytes)
        }
    }

    private static func character(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let first = bytes.first else { return nil }
        let length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard length > 0 else { return (nil, 1) }
        if bytes.count < length {
            // An invalid byte ends a character that is still incomplete.
            return bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 } ? nil : (nil, 1)
        }
        let text = String(decoding: bytes.prefix(length), as: UTF8.self)
        guard text.unicodeScalars.count == 1, let character = text.first, character != "\u{FFFD}" else {
            return (nil, 1)
        }
        return (.character(character), length)
    }

    /// Decodes an ECMA-48 sequence in either cursor key mode. If no sequence follows Escape, returns the Escape key.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let kind = bytes.dropFirst().first else { return nil }
        if kind == UInt8(ascii: "O") {
            guard let final = bytes.dropFirst(2).first else { return nil }
            return (named[final], 3)
        }
        guard kind == UInt8(ascii: "[") else { return (.escape, 1) }
        let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
        guard let final = bytes.dropFirst(2 + parameters.count).first else {
            return parameters.count < longestSequence ? nil : (nil, bytes.count)
        }
        let length = 3 + parameters.count
        guard final == UInt8(ascii: "~") else { return (named[final], length) }
        let number = String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return (numbered[number], length)
    }

    private static let named: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    ]
    private static let numbered: [String: Key] = [
        "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]
}
