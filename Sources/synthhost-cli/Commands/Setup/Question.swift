import System
import Terminal

/// Asks the person at the terminal, if there is one, and lets Ctrl-C be an answer.
struct Question {
    let cancellation: Cancellation
    /// Whether each question stands on a line of its own.
    let isPlain: Bool

    /// nil = there is nobody to ask.
    func ask<Value>(_ body: (Prompt) throws(PromptError) -> Value) throws(CommandFailure) -> Value? {
        let wakeUp = try? WakeUp()
        do throws(PromptError) {
            return try cancellation.during({ wakeUp?.signal() }) { () throws(PromptError) in
                try Prompt.withTerminal(interruption: wakeUp?.descriptor.raw, isPlain: isPlain, body)
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}
