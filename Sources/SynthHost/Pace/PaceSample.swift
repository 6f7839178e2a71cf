/// What was seen of an engine that spoke a probe over and over.
package struct PaceSample: Hashable, Sendable {
    /// One utterance.
    package struct Try: Hashable, Sendable {
        /// By the clock.
        package var time: Duration
        /// What the engine's process used meanwhile; zero = not known.
        package var processorTime: Duration

        package init(time: Duration, processorTime: Duration) {
            self.time = time
            self.processorTime = processorTime
        }
    }

    /// Of one utterance, in 10^9 multiply-adds.
    package var cost: Double
    package var tries: [Try]
    /// Those that the engine was to compute with.
    package var threads: Int

    package init(cost: Double, tries: [Try], threads: Int) {
        self.cost = cost
        self.tries = tries
        self.threads = threads
    }

    /// By the quickest utterance. Other programs can only make one slower, so the quickest is nearest to what the machine
    /// can do.
    package var pace: MachinePace? {
        tries.map(quickest).min().flatMap { MachinePace(rate: cost / ($0 / .seconds(1))) }
    }

    /// Whether it tells of the machine and not of the moment: the quickest utterance had the processors to itself.
    package var wasUndisturbed: Bool {
        guard let best = tries.min(by: { $0.time < $1.time }) else { return false }
        return best.processorTime >= best.time * usefulThreads * 0.8
    }

    /// How long an utterance would have taken alone: by the clock, or by the processor time if other programs kept
    /// the machine busy, as far as that surely would have been enough without them.
    private func quickest(_ one: Try) -> Duration {
        let alone = one.processorTime / usefulThreads
        return alone > .zero ? min(one.time, alone) : one.time
    }

    /// How many of the threads are busy on an idle machine, for the most part: they wait for each other the more the
    /// more they are. Two were seen to do the work of 1.7 to 1.96, four slow ones that of 2.4.
    private var usefulThreads: Double { Double(threads) * (1.1 - 0.125 * Double(min(threads, 4))) }
}
