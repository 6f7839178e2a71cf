/// How long a download waits and how often it tries. In seconds, because it travels as JSON.
package struct RetryPolicy: Sendable, Hashable, Codable {
    /// If nothing useful arrives for this long, it asks again.
    package var stall: Double
    /// At least this many bytes must arrive within `stall`.
    package var stallBytes: Int64
    /// The number of attempts in a row without progress.
    package var attempts: Int
    /// The first wait between two attempts. Each later one is twice as long, and shortened at random.
    package var firstWait: Double
    package var longestWait: Double

    package init(
        stall: Double = 30, stallBytes: Int64 = 4096, attempts: Int = 5, firstWait: Double = 1, longestWait: Double = 30
    ) {
        self.stall = stall
        self.stallBytes = stallBytes
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    /// The wait before attempt `number` (the first repetition is 1): full jitter over an exponential.
    package func wait(before number: Int, chance: Double) -> Double {
        let longest = min(longestWait, firstWait * Double(1 << min(number - 1, 16)))
        return longest * chance
    }

    /// How many attempts in a row a problem is worth. Without a network, and while a name is not found, waiting for a
    /// while changes nothing, and somebody waits for the answer.
    package func attempts(after problem: ServerProblem) -> Int {
        guard case .nameNotFound(let hasNetwork) = problem else { return attempts }
        return min(attempts, hasNetwork ? 2 : 1)
    }
}
