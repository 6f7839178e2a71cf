import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// Measures this machine's speed by making an engine speak with a probe model. The measurement uses the engine's own
/// library, including its kernels for this processor, and as many threads as normal speech uses. Nothing is downloaded.
package struct PaceMeasurement: Sendable {
    /// The minimum duration. It is long enough for the processor to raise its clock rate.
    private static let shortest = Duration.milliseconds(200)
    /// The maximum duration. It is long enough even for a slow machine, and a longer measurement would not help on a
    /// busy machine.
    private static let longest = Duration.seconds(1)

    let engine: Engine
    let probe: Probe
    let folder: String
    let threads: Int
    let clock: PaceClock

    /// Makes `run` throw. Can be called from any thread.
    package func cancel() { engine.abandon() }

    /// Runs the measurement. Returns nil if the probe's files cannot be written. Blocks for less than a second if the
    /// machine is fast enough for real-time speech.
    package func run() throws(EngineFailure) -> PaceSample? {
        guard let files = try? handedFiles() else { return nil }
        let ofVoice = Set(engine.description.roles.filter(\.isOfVoice).map(\.name))
        let lane = try engine.openLane(
            on: LoadRequest(
                id: "probe", threads: UInt32(clamping: threads), files: files.filter { !ofVoice.contains($0.role) }),
            handing: files)
        let voice = VoiceUse(id: "probe", files: files.filter { ofVoice.contains($0.role) })
        let request = LaneRequest(.text("a"), language: probe.language, voices: [voice])

        // The first utterance allocates memory that later utterances reuse.
        let first = try utterance(request, on: lane)
        var sample = PaceSample(cost: probe.cost, tries: [], threads: threads)
        var spent = Duration.zero
        // Other programs may have disturbed the previous attempts, so try again.
        while sample.tries.count < 3 || spent < Self.shortest || !sample.wasUndisturbed,
            first.time + spent < Self.longest
        {
            sample.tries.append(try utterance(request, on: lane))
            spent += sample.tries.last?.time ?? .zero
        }
        if sample.tries.isEmpty { sample.tries = [first] }
        return sample
    }

    private func utterance(_ request: LaneRequest, on lane: EngineLane) throws(EngineFailure) -> PaceSample.Attempt {
        let (before, start) = (clock.processorTime(lane), clock.now())
        _ = try lane.speak(request) { _ in true }
        let time = clock.now() - start
        let used = clock.processorTime(lane).flatMap { after in before.map { after - $0 } }
        return PaceSample.Attempt(time: time, processorTime: used ?? .zero)
    }

    private func handedFiles() throws(Errno) -> [HandedFile] {
        var files: [HandedFile] = []
        makeFolder(of: "\(folder)/")
        for file in probe.files {
            let path = "\(folder)/\(file.name)"
            try replaceFile(path, with: file.content)
            files.append(HandedFile(role: file.role, path: path))
        }
        return files
    }
}

/// The measurements of several utterances of a probe.
package struct PaceSample: Equatable, Sendable {
    /// The measurement of one utterance.
    package struct Attempt: Equatable, Sendable {
        /// The elapsed time.
        package var time: Duration
        /// The CPU time used by the engine's process during the utterance, or zero if unknown.
        package var processorTime: Duration

        package init(time: Duration, processorTime: Duration) {
            self.time = time
            self.processorTime = processorTime
        }
    }

    /// The cost of one utterance, in 10^9 multiply-adds.
    package var cost: Double
    package var tries: [Attempt]
    /// The number of threads that the engine was configured to use.
    package var threads: Int

    package init(cost: Double, tries: [Attempt], threads: Int) {
        self.cost = cost
        self.tries = tries
        self.threads = threads
    }

    /// The pace of the fastest utterance. Other programs can only slow an utterance down, so the fastest one best
    /// reflects what the machine can do.
    package var pace: MachinePace? {
        tries.map(undisturbedTime).min().flatMap { MachinePace(rate: cost / ($0 / .seconds(1))) }
    }

    /// Whether the fastest utterance was undisturbed by other programs, so that its pace is the machine's pace.
    package var wasUndisturbed: Bool {
        guard let best = tries.min(by: { $0.time < $1.time }) else { return false }
        return best.processorTime >= best.time * usefulThreads * 0.8
    }

    /// The time that an utterance would have taken without other programs: the elapsed time, or a bound derived from
    /// the CPU time.
    private func undisturbedTime(_ one: Attempt) -> Duration {
        let alone = one.processorTime / usefulThreads
        return alone > .zero ? min(one.time, alone) : one.time
    }

    /// The average number of busy threads on an otherwise idle machine. The more threads there are, the more time they
    /// spend waiting for one another: in measurements, two threads kept 1.7 to 1.96 processors busy, and four threads
    /// on a slow machine kept 2.4 processors busy.
    private var usefulThreads: Double { Double(threads) * (1.1 - 0.125 * Double(min(threads, 4))) }
}

package struct PaceClock: Sendable {
    /// Returns the time since a fixed point in time.
    package let now: @Sendable () -> Duration
    /// Returns the total CPU time of the engine's process, or nil if it is unknown.
    let processorTime: @Sendable (EngineLane) -> Duration?

    package static let real: PaceClock = {
        let start = ContinuousClock.now
        return PaceClock(now: { ContinuousClock.now - start }, processorTime: { $0.processorTime })
    }()
}
