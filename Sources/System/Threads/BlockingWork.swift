/// Runs `body` on a thread of its own and suspends until it returns: the cooperative threads of Swift's tasks are few and
/// must not block. Where the system has no thread left, it runs on the caller's.
package func onThread<Value: Sendable>(_ name: String, _ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
        if !startThread(name, work) { work() }
    }
}
