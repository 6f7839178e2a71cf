import Synchronization

/// A request to stop that may come before there is anything to stop.
final class Cancellation: Sendable {
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
        var exitAction: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())

    var isRequested: Bool { state.withLock { $0.isRequested } }

    /// From any thread.
    func cancel() {
        let action = state.withLock { state in
            state.isRequested = true
            return state.action
        }
        action?()
    }

    /// Says what stops it; done at once if the request came first.
    func set(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.action = action
            return state.isRequested
        }
        if isRequested { action() }
    }

    /// Says what is not to outlive the process.
    func setExitAction(_ exitAction: @escaping @Sendable () -> Void) { state.withLock { $0.exitAction = exitAction } }

    /// Ends what is not to outlive the process, which leaves without unwinding. Waits for nothing.
    func runExitAction() { state.withLock(\.exitAction)?() }

    /// Says what stops it while the body runs. Then what was said before holds again, for wishes that come later.
    func during<Value, Failure: Error>(
        _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = state.withLock(\.action)
        set(action)
        defer { state.withLock { $0.action = before } }
        return try body()
    }
}
