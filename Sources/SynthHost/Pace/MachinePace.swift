/// The speed of a machine for neural engines, in 10^9 multiply-adds per second.
package struct MachinePace: Hashable, Sendable {
    package let rate: Double

    /// nil if the rate is not a positive number.
    package init?(rate: Double) {
        guard rate > 0, rate.isFinite else { return nil }
        self.rate = rate
    }

    /// - Parameter cost: of one second of a voice's speech, in 10^9 multiply-adds.
    package func estimate(cost: Double) -> PaceEstimate { PaceEstimate(realTimeFactor: cost / rate) }
}
