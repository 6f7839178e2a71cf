/// Measurements of an engine that spoke a probe several times.
package struct PaceSample: Hashable, Sendable {
    /// One utterance.
    package struct Try: Hashable, Sendable {
        /// The elapsed time.
        package var time: Duration
        /// The processor time of the engine's process meanwhile; zero = unknown.
        package var processorTime: Duration

        package init(time: Duration, processorTime: Duration) {
            self.time = time
            self.processorTime = processorTime
        }
    }

    /// The cost of one utterance, in 10^9 multiply-adds.
    package var cost: Double
    package var tries: [Try]
    /// The number of threads that the engine was told to use.
    package var threads: Int

    package init(cost: Double, tries: [Try], threads: Int) {
        self.cost = cost
        self.tries = tries
        self.threads = threads
    }

    /// The pace by the fastest utterance. Other programs can only slow it down, so the fastest is nearest to what the
    /// machine can do.
    package var pace: MachinePace? {
        tries.map(undisturbedTime).min().flatMap { MachinePace(rate: cost / ($0 / .seconds(1))) }
    }

    /// Whether other programs did not disturb the fastest utterance, so that its pace is that of the machine.
    package var wasUndisturbed: Bool {
        guard let best = tries.min(by: { $0.time < $1.time }) else { return false }
        return best.processorTime >= best.time * usefulThreads * 0.8
    }

    /// The time that an utterance would have taken alone: the elapsed time, or a bound from the processor time if other
    /// programs kept the machine busy.
    private func undisturbedTime(_ one: Try) -> Duration {
        let alone = one.processorTime / usefulThreads
        return alone > .zero ? min(one.time, alone) : one.time
    }

    /// The average number of busy threads on an idle machine. The more threads there are, the more they wait for each
    /// other: two did the work of 1.7 to 1.96, four slow ones that of 2.4.
    private var usefulThreads: Double { Double(threads) * (1.1 - 0.125 * Double(min(threads, 4))) }
}
