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
        /// A client begins with the whole list, and needs nothing that came before.
        var isNew = true
        var wantsList = false
        var keys: [String] = []
        var known: Set<String> = []
        var isClosed = false

        /// Single voices first: then a client sees what happens to them before they stand elsewhere.
        mutating func take() -> Letter? {
            if isClosed { return .end }
            if isNew {
                self = State(isNew: false)
                return .list
            }
            if !keys.isEmpty {
                defer { (keys, known) = ([], []) }
                return .voices(keys)
            }
            defer { wantsList = false }
            return wantsList ? .list : nil
        }
    }
    private let state = Monitor(State())

    init() {}

    /// What comes next. Blocks.
    func next(before deadline: ContinuousClock.Instant) -> Letter {
        state.wait(timeout: max(.zero, deadline - .now)) { $0.take() } ?? .nothing
    }

    /// Blocks for a while, so that more comes together; until it is closed at the latest.
    func gather(for duration: Duration) {
        _ = state.wait(timeout: duration) { $0.isClosed ? true : nil }
    }

    func add(_ change: LibraryList.Change) {
        state.update { state in
            if state.isNew || state.isClosed { return }
            if change.isOfList { state.wantsList = true }
            for key in change.voices where state.known.insert(key).inserted { state.keys.append(key) }
        }
    }

    /// Nothing more comes.
    func close() { state.update { $0.isClosed = true } }
}
