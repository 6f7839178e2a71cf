import LinuxSystem
import Terminal

/// Asks the person at the terminal, if there is one, and lets Ctrl-C be an answer.
struct Question {
    let cancellation: Cancellation

    /// nil = there is nobody to ask.
    func ask<Value>(_ body: (Prompt) throws(PromptError) -> Value) throws(CommandFailure) -> Value? {
        let wakeUp = try? WakeUp()
        cancellation.set { wakeUp?.signal() }
        defer { cancellation.set {} }
        do throws(PromptError) {
            return try Prompt.withTerminal(interruption: wakeUp?.descriptor.raw, body)
        } catch {
            if case .interrupted = error { throw CommandFailure(.interrupted, nil) }
            throw CommandFailure(.failure, error.message, error.remedy)
        }
    }
}
