import Synchronization

/// A wish to stop that may come before there is anything to stop.
final class Cancellation: Sendable {
    private struct State {
        var isRequested = false
        var action: (@Sendable () -> Void)?
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

    /// Says what stops it; done at once where the wish was there first.
    func set(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.action = action
            return state.isRequested
        }
        if isRequested { action() }
    }
}
