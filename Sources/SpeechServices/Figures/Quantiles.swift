/// How long something took the last times, and what most of them took at most.
package struct Quantiles: Equatable, Sendable {
    private let capacity: Int
    private var durations: [Duration] = []
    /// Where the next one goes once all places are taken.
    private var next = 0

    /// - Parameter capacity: how many are kept, at least one.
    package init(last capacity: Int = 1000) { self.capacity = max(1, capacity) }

    /// How many there were in all, and their sum.
    package private(set) var total = 0
    package private(set) var sum = Duration.zero

    /// How many there are to judge by.
    package var count: Int { durations.count }

    package mutating func add(_ duration: Duration) {
        total += 1
        sum += duration
        if durations.count < capacity { return durations.append(duration) }
        durations[next] = duration
        next = (next + 1) % capacity
    }

    /// The shortest duration that a share of all does not exceed; nil = there are none yet.
    ///
    /// - Parameter share: 0.5 = the median. By the nearest rank: the result is one of the durations.
    package func quantile(_ share: Double) -> Duration? {
        guard !durations.isEmpty else { return nil }
        let rank = (share * Double(durations.count)).rounded(.up)
        let index = min(max(rank, 1), Double(durations.count)) - 1
        return durations.sorted()[Int(index)]
    }
}
