import Synchronization

/// How many runs of a model are under way, in all its parts.
final class RunCount: Sendable {
    private let count = Atomic(0)

    /// - Returns: How many are under way, including the one that begins.
    func begin() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// - Returns: How many were under way, including the one that ends.
    func end() -> Int { count.subtract(1, ordering: .relaxed).oldValue }
}
