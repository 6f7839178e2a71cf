import CSynthLinux
import Glibc
package import SynthSystem

/// A terminal whose keys are read one by one, and that a screen may be drawn on. It has its former state again after `close`, and, if it
/// is that of the process, however the process ends, but for SIGKILL. One thread uses it; `close` may be called from any thread.
package final class ScreenTerminal: Sendable {
    /// What came from the user or from the terminal.
    package enum Input: Equatable, Sendable {
        case keys([Key])
        /// It has another size, or somebody else has drawn on it: all is drawn again with the next screen.
        case changed
        /// The program is asked to stop until the user continues it; see ``suspend()``.
        case stop
        /// `wake` was signalled, or the time is over.
        case nothing
        /// It is gone.
        case closed
    }

    private struct State {
        var shown: Screen?
        var decoder = KeyDecoder()
        var isOpen = false
    }
    private let state = Monitor(State())
    private let descriptor: Int32
    private let settings: termios
    private let guardsProcess: Bool
    private let draws: Bool
    private let wake: WakeUp

    /// How long the rest of a sequence may take after Escape.
    private static let patience = Duration.milliseconds(50)

    /// Keeps what the terminal showed; no automatic line breaks.
    private static let greeting = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[0m\u{1B}[2J\u{1B}[?25l"
    private static let farewell: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// - Parameters:
    ///   - descriptor: of a terminal, open for reading and writing for as long as this is used.
    ///   - draws: whether screens are shown; otherwise only its keys are read.
    ///   - guardsProcess: whether it is the terminal of this process, which signals and crashes concern.
    ///   - wake: ends a wait for keys.
    /// - Throws: `noAnswer` if it is not a terminal.
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

    private func open() {
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
            if draws { try? DescriptorWriter(descriptor: descriptor).write(Self.greeting) }
        }
    }

    /// The terminal is as it was before. May be called again.
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

    /// Stops the process, as the user asked for, with the terminal as it was before. Returns when it continues.
    package func suspend() {
        close()
        if guardsProcess { linux_stop_group() }
        open()
    }

    /// The size that a screen should have.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws what is different from what it shows.
    package func show(_ screen: Screen) throws(TerminalError) {
        let changes = state.update { state -> String in
            guard state.isOpen, draws else { return "" }
            defer { state.shown = screen }
            return screen.changes(from: state.shown)
        }
        if !changes.isEmpty { try DescriptorWriter(descriptor: descriptor).write(changes) }
    }

    /// Blocks until a key is pressed, something else happens, or the time is over.
    package func wait(_ timeout: Duration?) -> Input {
        var timeout = timeout
        if state.read({ $0.decoder.isPending }) { timeout = min(timeout ?? Self.patience, Self.patience) }
        guard
            let ready = try? Poll.wait(
                [(descriptor, events: POLLIN), (wake.descriptor.raw, events: POLLIN)], timeout: timeout)
        else { return .closed }
        if ready[1] != 0 { wake.clear() }
        if guardsProcess {
            if linux_terminal_asked_to_stop() { return .stop }
            if linux_terminal_changed() {
                // The shell may have put its own settings back meanwhile.
                open()
                return .changed
            }
        }
        if ready[0] & POLLIN != 0 { return read() }
        if ready[0] != 0 { return .closed }
        if ready[1] == 0 {
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
        let keys = state.update { $0.decoder.decode(bytes[..<count]) }
        return keys.isEmpty ? .nothing : .keys(keys)
    }
}
