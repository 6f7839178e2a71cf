import Dispatch
import Synchronization

/// What a thread of its own computes while others work. It must be waited for.
final class WorkResult<Value: Sendable>: Sendable {
    private let body: @Sendable () -> Value
    private let found = Mutex<Value?>(nil)
    private let group = DispatchGroup()

    init(_ body: @escaping @Sendable () -> Value) {
        self.body = body
        WorkThread.start(in: group) { [self] in
            let value = body()
            found.withLock { $0 = value }
        }
    }

    /// Waits for it. If there was no thread, it is computed now.
    var value: Value {
        group.wait()
        return found.withLock { found in
            let value = found ?? body()
            found = value
            return value
        }
    }
}
