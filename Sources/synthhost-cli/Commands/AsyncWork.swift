import System

/// Runs asynchronous work for a command, whose thread waits for it.
enum AsyncWork {
    /// Blocks until the body returns.
    ///
    /// - Parameter cancellation: cancels the body's task.
    static func run<Value: Sendable>(
        _ context: CommandContext, _ cancellation: Cancellation, _ body: @escaping @Sendable () async -> Value
    ) -> Value {
        let result = Monitor<Value?>(nil)
        let task = Task(executorPreference: context.executor) {
            let value = await body()
            result.update { $0 = value }
        }
        return cancellation.during({ task.cancel() }) {
            while true {
                if let value = result.wait(until: { $0 }) { return value }
            }
        }
    }
}
