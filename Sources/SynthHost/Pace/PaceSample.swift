/// What was seen of an engine that spoke a probe over and over.
package struct PaceSample: Hashable, Sendable {
    /// Of one utterance, in 10^9 multiply-adds.
    package var cost: Double
    /// How long each utterance took.
    package var times: [Duration]
    /// What the engine's process used for all of them.
    package var processorTime: Duration
    /// Those that the engine was to compute with.
    package var threads: Int

    package init(cost: Double, times: [Duration], processorTime: Duration, threads: Int) {
        self.cost = cost
        self.times = times
        self.processorTime = processorTime
        self.threads = threads
    }

    /// By the quickest utterance; where other programs kept the machine busy by the processor time, as far as that
    /// surely would have been enough without them.
    package var pace: MachinePace? {
        guard let shortest = times.min() else { return nil }
        let alone = processorTime / times.count / usefulThreads
        let time = alone > .zero ? min(shortest, alone) : shortest
        return MachinePace(rate: cost / (time / .seconds(1)))
    }

    /// Whether it tells of the machine and not of the moment.
    package var wasUndisturbed: Bool { processorTime >= times.reduce(.zero, +) * usefulThreads * 0.8 }

    /// How many of the threads are busy on an idle machine, for the most part: they wait for each other the more the
    /// more they are. Two were seen to do the work of 1.7 to 1.96, four slow ones that of 2.4.
    private var usefulThreads: Double { Double(threads) * (1.1 - 0.125 * Double(min(threads, 4))) }
}
