import System

/// What one client is still to be told of a library: which voices, and not what of them, so that a slow one gets the newest
/// and takes no memory. Any thread may use it.
package final class LibraryMailbox: Sendable {
    enum Letter: Equatable {
        /// The whole list.
        case list
        /// Keys of voices, each once.
        case voices([String])
        /// Nothing came in time.
        case nothing
        /// Nothing more comes.
        case end
    }
    private struct State {
        /// A client begins with the whole list.
        var wantsList = true
        var keys: [String] = []
        var known: Set<String> = []
        var isClosed = false
    }
    private let state = Monitor(State())

    init() {}

    /// What comes next. Blocks.
    func next(before deadline: ContinuousClock.Instant) -> Letter {
        state.wait(timeout: max(.zero, deadline - .now)) { state -> Letter? in
            if state.isClosed { return .end }
            defer { (state.wantsList, state.keys, state.known) = (false, [], []) }
            if state.wantsList { return .list }
            return state.keys.isEmpty ? nil : .voices(state.keys)
        } ?? .nothing
    }

    /// Blocks for a while, so that more comes together; until it is closed at the latest.
    func gather(for duration: Duration) {
        _ = state.wait(timeout: duration) { $0.isClosed ? true : nil }
    }

    func add(_ change: LibraryList.Change) {
        state.update { state in
            // The list says all.
            if state.wantsList || state.isClosed { return }
            switch change {
            case .all:
                state.wantsList = true
                (state.keys, state.known) = ([], [])
            case .voices(let keys):
                for key in keys where state.known.insert(key).inserted { state.keys.append(key) }
            }
        }
    }

    /// Nothing more comes.
    func close() { state.update { $0.isClosed = true } }
}
