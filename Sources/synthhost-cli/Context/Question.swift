import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// Asks the user a question at the terminal. Ctrl-C and Ctrl-D cancel the command.
struct Question {
    let context: CommandContext
    let cancellation: Cancellation
    var localized = PhraseBook.english

    /// Asks the question. Returns nil if no terminal is available.
    ///
    /// - Parameter cancelled: the message if the user cancels, or nil for "Cancelled."
    func ask<Value>(cancelled: String? = nil, _ body: (Prompt) throws -> Value) throws -> Value? {
        guard let terminal = context.keyTerminal()?.descriptor else { return nil }
        let output = TextOutput(descriptor: terminal.raw, environment: { context.environment[$0] })
        let wakeUp = try? WakeUp()
        let prompt = Prompt(
            input: terminal.raw, output: context.isPlain ? output.plain : output,
            interruption: wakeUp?.descriptor.raw, localized)
        defer { withExtendedLifetime(terminal) {} }
        do {
            return try cancellation.during({ wakeUp?.signal() }) { try body(prompt) }
        } catch TerminalError.cancelled {
            throw CommandFailure(.interrupted, cancelled ?? TerminalError.cancelled.message)
        }
    }
}
