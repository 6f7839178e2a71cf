/// How fast a machine makes speech: 10^9 multiply-adds in a second, as the neural engines use them.
package struct MachinePace: Hashable, Sendable {
    package let rate: Double

    /// nil = it cannot be one.
    package init?(rate: Double) {
        guard rate > 0, rate.isFinite else { return nil }
        self.rate = rate
    }

    /// For a voice by what a second of its speech costs.
    package func estimate(cost: Double) -> PaceEstimate { PaceEstimate(realTimeFactor: cost / rate) }
}
