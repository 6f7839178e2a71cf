/// Bytes of which many may take some, all together up to a limit. Any thread may use it.
package final class ByteBudget: Sendable {
    private let limit: Int
    private let state = Monitor(0)

    package init(limit: Int) { self.limit = limit }

    /// Those that are taken now.
    package var taken: Int { state.read { $0 } }

    /// Blocks until so many are taken. For tests.
    package func waitForTaken(_ count: Int) { _ = state.wait { $0 == count ? true : nil } }

    /// Whether there were so many left; they are given back with ``giveBack(_:)``.
    package func take(_ count: Int) -> Bool {
        state.update { taken in
            guard count <= limit - taken else { return false }
            taken += count
            return true
        }
    }

    package func giveBack(_ count: Int) { state.update { $0 -= count } }
}
