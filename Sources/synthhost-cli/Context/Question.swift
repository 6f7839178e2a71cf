import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// Asks the user at the terminal, if there is one. Ctrl-C and Ctrl-D cancel the command.
struct Question {
    let context: CommandContext
    let cancellation: Cancellation
    var localized = PhraseBook.english

    /// Asks at the terminal. Returns nil if there is no terminal.
    ///
    /// - Parameter cancelled: the message if the user cancels, or nil for "Cancelled."
    func ask<Value>(cancelled: String? = nil, _ body: (Prompt) throws -> Value) throws -> Value? {
        let wakeUp = try? WakeUp()
        do {
            return try cancellation.during({ wakeUp?.signal() }) {
                try prompt(interruption: wakeUp?.descriptor.raw, body)
            }
        } catch TerminalError.cancelled {
            throw CommandFailure(.interrupted, cancelled ?? TerminalError.cancelled.message)
        }
    }

    private func prompt<Value>(
        interruption: Int32?, _ body: (Prompt) throws -> Value
    ) throws -> Value? {
        switch context.terminal {
        case .ofProcess:
            return try Prompt.withTerminal(interruption: interruption, isPlain: context.isPlain, localized, body)
        case .descriptor(let terminal):
            let output = TextOutput(descriptor: terminal, environment: { context.environment[$0] })
            return try body(
                Prompt(
                    input: terminal, output: context.isPlain ? output.plain : output, interruption: interruption,
                    localized))
        case .none:
            return nil
        }
    }
}
