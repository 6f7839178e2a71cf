import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// One part of a model, run for one stretch of time after the other. What its stages still need of a stretch stays here.
struct PartStream: Sendable {
    private let tail: InferenceTail
    private var plan: StreamPlan
    /// What the last run left for the next one.
    private var kept: [InferenceOutput] = []

    /// - Parameter frameCount: Moments of its input.
    init(_ tail: InferenceTail, frameCount: Int) {
        self.tail = tail
        plan = StreamPlan(tail.cut.stages, count: frameCount)
    }

    /// What the next run is for. Nothing changes until `run` succeeds.
    ///
    /// - Parameters:
    ///   - end: Up to which moment of the output.
    ///   - goesOn: Whether the run may go further, if it reads what is needed for it.
    func step(to end: Int, goesOn: Bool = false) -> StreamPlan.Step { plan.step(to: end, goesOn: goesOn) }

    /// - Parameters:
    ///   - inputs: The part's inputs for the moments of `step.input`.
    ///   - outputs: What to return; `nil` for the sound.
    mutating func run(
        _ step: StreamPlan.Step, _ inputs: [(name: String, tensor: InferenceTensor)], outputs: [String]?,
        as run: InferenceRun
    ) throws(InferenceError) -> [InferenceOutput] {
        var inputs = inputs
        let names = outputs ?? [tail.cut.output]
        var keeping: [String] = []
        for (number, places) in step.joins.enumerated() {
            let stage = number + 1
            inputs.append((PartStage.placesInput(stage), InferenceTensor(places.numbers, shape: [4])))
            for tensor in 0..<tail.cut.stages[stage].tensors {
                let earlier =
                    kept.isEmpty ? InferenceTensor([Float](), shape: [0]) : InferenceTensor(kept[keeping.count])
                inputs.append((PartStage.keptInput(stage, tensor), earlier))
                keeping.append(PartStage.keptOutput(stage, tensor))
            }
        }
        let found = try tail.session.runPart(inputs, outputs: names + keeping, as: run)
        kept = Array(found.dropFirst(names.count))
        plan.note(step)
        return Array(found.prefix(names.count))
    }
}

/// Which moments each stage of a part computes in a run, so that all that earlier runs computed is used again.
struct StreamPlan: Sendable {
    private let stages: [PartStage]
    /// Moments of the input of each stage, and of the last one's output.
    private let counts: [Int]
    /// How many of them are known.
    private var known: [Int]
    /// From which moment on each stage's input is there.
    private var starts: [Int]

    /// - Parameter count: Moments of the part's input.
    init(_ stages: [PartStage], count: Int) {
        self.stages = stages
        counts = stages.reduce(into: [count]) { $0.append($0[$0.count - 1] * $1.stride) }
        known = [Int](repeating: 0, count: counts.count)
        starts = [Int](repeating: 0, count: stages.count)
    }

    /// One run.
    struct Step {
        /// Which moments of the part's input are read.
        var input: Range<Int>
        /// Between two stages, the numbers of `StreamJoin`.
        var joins: [Join] = []
        /// How many moments the part gives.
        var given = 0
        /// Which of them are new.
        var output = 0..<0
        /// Up to which moment each stage's input and the output are known after it.
        fileprivate var known: [Int]
        /// From which moment on each stage's input is there after it.
        fileprivate var starts: [Int]

        struct Join: Equatable {
            var new: Range<Int>
            var keepingFrom: Int
            var count: Int

            var numbers: [Int64] { [new.lowerBound, new.upperBound, keepingFrom, count].map { Int64($0) } }
        }
    }

    /// - Parameters:
    ///   - end: Up to which moment of the output.
    ///   - goesOn: Whether the run may go further, if it reads what is needed for it.
    func step(to end: Int, goesOn: Bool) -> Step {
        var ends = known
        ends[stages.count] = max(known[stages.count], min(end, counts[stages.count]))
        for (number, stage) in stages.enumerated().reversed() {
            let needed = (ends[number + 1] + stage.stride - 1) / stage.stride + stage.reach
            ends[number] = max(known[number], min(counts[number], needed))
        }
        if goesOn {
            for (number, stage) in stages.enumerated() {
                let isAll = ends[number] == counts[number]
                let possible = isAll ? counts[number + 1] : (ends[number] - stage.reach) * stage.stride
                ends[number + 1] = max(ends[number + 1], possible)
            }
        }
        let next = stages.enumerated().map { max(0, ends[$0 + 1] / $1.stride - $1.reach) }
        var step = Step(input: starts[0]..<ends[0], known: ends, starts: next)
        for (number, stage) in stages.enumerated() {
            let first = starts[number] * stage.stride
            let new = known[number + 1] - first..<ends[number + 1] - first
            let given = (ends[number] - starts[number]) * stage.stride
            if number + 1 < stages.count {
                step.joins.append(
                    Step.Join(new: new, keepingFrom: next[number + 1] - starts[number + 1], count: given))
            } else {
                (step.given, step.output) = (given, new)
            }
        }
        return step
    }

    mutating func note(_ step: Step) { (known, starts) = (step.known, step.starts) }
}
