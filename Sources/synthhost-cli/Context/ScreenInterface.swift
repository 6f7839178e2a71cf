import Glibc
import SynthSystem
import SynthTerminal

/// A queue through which any thread can send messages to the thread that reads keys.
final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Monitor<[Message]>([])
    let wake: WakeUp

    init() throws(Errno) { wake = try WakeUp() }

    func send(_ message: Message) {
        messages.update { $0.append(message) }
        wake.signal()
    }

    func take() -> [Message] {
        messages.update { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// Reads the keys of a terminal and, if possible, draws on its screen.
struct ScreenInterface {
    let context: CommandContext
    let isQuiet: Bool
    private let terminal: ScreenTerminal?
    /// The descriptor of the terminal. It must stay open.
    private let descriptor: Descriptor?
    let draws: Bool

    /// - Parameters:
    ///   - draws: whether to draw a screen if there is a terminal.
    ///   - wake: interrupts a wait for keys.
    init(_ context: CommandContext, draws: Bool, isQuiet: Bool, _ wake: WakeUp) {
        self.context = context
        self.isQuiet = isQuiet
        guard let keys = context.keyTerminal(),
            let terminal = try? ScreenTerminal(
                keys.descriptor.raw, draws: draws, guardsProcess: keys.isOfProcess, wake: wake)
        else {
            (descriptor, self.terminal, self.draws) = (nil, nil, false)
            return
        }
        (descriptor, self.terminal, self.draws) = (keys.descriptor, terminal, draws)
    }

    var hasKeys: Bool { terminal != nil }

    var close: @Sendable () -> Void {
        { [terminal, descriptor] in withExtendedLifetime(descriptor) { terminal?.close() } }
    }

    func suspend() { terminal?.suspend() }

    func wait(_ timeout: Duration?, _ wake: WakeUp) -> ScreenTerminal.Input {
        if let terminal { return terminal.wait(timeout) }
        _ = try? Poll.wait([(wake.descriptor.raw, events: POLLIN)], timeout: timeout)
        wake.clear()
        return .nothing
    }

    /// Draws a screen of the terminal's size. Does nothing if `draws` is false.
    func show(_ screen: (_ columns: Int, _ rows: Int) -> TextScreen) throws {
        guard draws, let terminal else { return }
        let (columns, rows) = terminal.size
        try terminal.show(screen(columns, rows))
    }
}

extension CommandContext {
    /// Whether a screen can be drawn. Both results and messages must be written to a terminal that allows animation.
    var canDraw: Bool { output.style.allowsAnimation && errors.style.allowsAnimation }
}
