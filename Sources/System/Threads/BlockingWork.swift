/// Runs `body` on a thread of its own and suspends until it returns: the threads of Swift's cooperative pool are few
/// and must not block. If the system has no thread left, the body runs on the caller's thread.
package func onThread<Value: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
        if !startThread(name, work) { work() }
    }
}
