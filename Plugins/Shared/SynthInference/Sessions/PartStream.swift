import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// Runs one part of a model on consecutive time ranges and keeps the earlier outputs that the part's stages still need.
struct PartStream: Sendable {
    private let tail: InferenceTail
    private var plan: StreamPlan
    /// The outputs of the last run that the next run needs.
    private var kept: [InferenceOutput] = []

    init(_ tail: InferenceTail, frameCount: Int) {
        self.tail = tail
        plan = StreamPlan(tail.cut.stages, count: frameCount)
    }

    /// Plans the next run. The state changes only when `run` succeeds.
    ///
    /// - Parameters:
    ///   - end: The end of the run in output time steps.
    ///   - continuesText: Whether the run may compute time steps after `end` if it reads their input anyway.
    func step(to end: Int, continuesText: Bool = false) -> StreamPlan.Step {
        plan.step(to: end, continuesText: continuesText)
    }

    /// - Parameters:
    ///   - inputs: The part's inputs for the time steps of `step.input`.
    ///   - outputs: The outputs to return; `nil` for the audio.
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

/// Determines which time steps each stage of a part computes in a run so that earlier results are reused.
struct StreamPlan: Sendable {
    private let stages: [PartStage]
    /// The input lengths of all stages, followed by the output length of the last stage, in time steps.
    private let counts: [Int]
    /// For each element of `counts`, the number of time steps that have been read or computed.
    private var known: [Int]
    /// For each stage, the first input time step that is still available.
    private var starts: [Int]

    init(_ stages: [PartStage], count: Int) {
        self.stages = stages
        counts = stages.reduce(into: [count]) { $0.append($0[$0.count - 1] * $1.stride) }
        known = [Int](repeating: 0, count: counts.count)
        starts = [Int](repeating: 0, count: stages.count)
    }

    struct Step {
        var input: Range<Int>
        /// The `StreamJoin` parameters between the stages.
        var joins: [Join] = []
        /// The number of time steps that the part returns.
        var given = 0
        /// The range of new time steps within the returned output.
        var output = 0..<0
        /// The values of `StreamPlan.known` after the run.
        fileprivate var known: [Int]
        /// The values of `StreamPlan.starts` after the run.
        fileprivate var starts: [Int]

        struct Join: Equatable {
            var new: Range<Int>
            var keepingFrom: Int
            var count: Int

            var numbers: [Int64] { [new.lowerBound, new.upperBound, keepingFrom, count].map { Int64($0) } }
        }
    }

    /// - Parameters:
    ///   - end: The end of the run in output time steps.
    ///   - continuesText: Whether the run may compute time steps after `end` if it reads their input anyway.
    func step(to end: Int, continuesText: Bool) -> Step {
        var ends = known
        ends[stages.count] = max(known[stages.count], min(end, counts[stages.count]))
        for (number, stage) in stages.enumerated().reversed() {
            let needed = (ends[number + 1] + stage.stride - 1) / stage.stride + stage.reach
            ends[number] = max(known[number], min(counts[number], needed))
        }
        if continuesText {
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
