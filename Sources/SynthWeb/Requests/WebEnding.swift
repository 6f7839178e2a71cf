import SynthSystem

/// The moment from which a web server takes nothing new. Any thread may use it.
package final class WebEnding: Sendable {
    private struct State {
        var hasBegun = false
        var actions: [@Sendable () -> Void] = []
    }
    private let state = Monitor(State())

    package init() {}

    var hasBegun: Bool { state.read { $0.hasBegun } }

    /// Calls `action` when it begins, or now if it has.
    func add(_ action: @escaping @Sendable () -> Void) {
        let hasBegun = state.update { state in
            if !state.hasBegun { state.actions.append(action) }
            return state.hasBegun
        }
        if hasBegun { action() }
    }

    package func begin() {
        let actions = state.update { state in
            defer { state = State(hasBegun: true) }
            return state.actions
        }
        for action in actions { action() }
    }
}
