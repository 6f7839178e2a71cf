import Testing
import TestNumbers
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct PartStagesTests {
    private func parts(_ model: TinyModel) throws -> (cuts: [ModelCut], graphs: [[GraphNode]]) {
        try model.bytes.withUnsafeBytes { memory in
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            let (cuts, graphs) = try ModelCut.parts(
                of: GraphEditor(ModelGraph(memory), weights: none), output: "output")
            return (cuts, graphs.map(\.nodes))
        }
    }

    @Test("A flow is divided between its steps, and a vocoder after its first convolution and residual blocks")
    func divided() throws {
        let model = TinyVoice.model(.init(channels: 128, strides: [8, 8, 4]), hasFlow: true, speakers: 3)
        let (cuts, graphs) = try parts(model)
        // Each step also reads the mask and the speaker.
        #expect(cuts[0].stages == [PartStage(stride: 1, reach: 8), PartStage(stride: 1, reach: 8, tensors: 3)])
        #expect(
            cuts[1].stages == [
                PartStage(stride: 1, reach: 3), PartStage(stride: 8, reach: 7, tensors: 1),
                PartStage(stride: 32, reach: 9, tensors: 1),
            ])
        let joins = graphs.map { $0.filter { $0.operation == "StreamJoin" }.count }
        #expect(joins == [0, 3, 2])
    }

    @Test("A vocoder with few samples per frame is not divided at points where blocks would be incomplete")
    func whole() throws {
        let cuts = try parts(TinyVoice.model(.init(strides: [6, 2], firstTaps: 3), hasFlow: true)).cuts
        #expect(cuts.last?.stages.count == 1 && cuts.last?.stages.first?.stride == 12)
    }

    @Test("A part whose tensor names collide with the names of the added inputs is not divided")
    func strangeNames() throws {
        var model = TinyVoice.model(.init(channels: 128, strides: [8, 8, 4]), hasFlow: true)
        for number in model.nodes.indices where model.nodes[number].operation == "LeakyRelu" {
            let name = model.nodes[number].outputs[0]
            for other in model.nodes.indices {
                model.nodes[other].inputs = model.nodes[other].inputs.map { $0 == name ? "stream/\(name)" : $0 }
            }
            model.nodes[number].outputs = ["stream/\(name)"]
        }
        let cuts = try parts(model).cuts
        #expect(cuts.map(\.stages.count) == [2, 1])
    }

    @Test("Stages can be parsed from a cache record but not from other text")
    func record() {
        let stages = [PartStage(stride: 1, reach: 3), PartStage(stride: 256, reach: 9, tensors: 2)]
        #expect(PartStage.text(stages) == "1:3:0,256:9:2" && PartStage.stages("1:3:0,256:9:2") == stages)
        for damaged in [
            "", "1", "1:3", "0:3:0", "1:-1:0", "1:3:1", "1:3:0,", "1:3:0,1:3:0", "1:3:0,1:3:5", "1:3:0:0", "x:3:0",
            "1::3:0", "1:x:3:0", ":1:3:0", "65537:3:0",
            "1:3:0" + String(repeating: ",1:3:1", count: 8),
        ] {
            #expect(PartStage.stages(damaged) == nil, "\(damaged)")
        }
    }
}

@Suite struct StreamPlanTests {
    private static let vocoder = [
        PartStage(stride: 1, reach: 3), PartStage(stride: 8, reach: 7, tensors: 1),
        PartStage(stride: 32, reach: 9, tensors: 1),
    ]
    private static let flow =
        [PartStage(stride: 1, reach: 8)] + [PartStage](repeating: PartStage(stride: 1, reach: 8, tensors: 2), count: 3)

    /// Follows a plan to the end, in parts of `size` time steps of its input, and checks that each stage gets all the
    /// input that its output depends on. Returns the number of time steps that each stage read in all runs.
    private func read(_ stages: [PartStage], count: Int, size: Int, continuesText: Bool = false) -> [Int] {
        var plan = StreamPlan(stages, count: count)
        let whole = stages.map(\.stride).reduce(1, *)
        let counts = stages.reduce(into: [count]) { $0.append($0[$0.count - 1] * $1.stride) }
        var read = [Int](repeating: 0, count: stages.count)
        /// The first available time step of each stage's input, and the end of its known output.
        var (starts, known) = (read, read)
        var end = 0
        while end < counts[stages.count] {
            end = min(counts[stages.count], max(end, known[stages.count - 1]) + size * whole)
            let step = plan.step(to: end, continuesText: continuesText)
            var input = step.input
            for (number, stage) in stages.enumerated() {
                let join = number < step.joins.count ? step.joins[number] : nil
                let new = join?.new ?? step.output
                read[number] += input.count
                #expect(input.lowerBound >= 0 && (join?.count ?? step.given) == input.count * stage.stride)
                let output =
                    input.lowerBound * stage.stride + new.lowerBound..<input.lowerBound * stage.stride + new.upperBound
                // Each time step is new exactly once, and everything that it depends on has been read.
                #expect(output.lowerBound == known[number])
                if !output.isEmpty {
                    #expect(input.lowerBound <= max(0, output.lowerBound / stage.stride - stage.reach))
                    let last = (output.upperBound - 1) / stage.stride
                    #expect(input.upperBound >= min(counts[number], last + 1 + stage.reach))
                }
                known[number] = output.upperBound
                if let join {
                    input = starts[number + 1]..<output.upperBound
                    starts[number + 1] += join.keepingFrom
                }
            }
            #expect(known[stages.count - 1] >= end && (continuesText || known[stages.count - 1] == end))
            end = known[stages.count - 1]
            plan.note(step)
        }
        return read
    }

    @Test(
        "Each time step is computed once from all the input that it depends on", arguments: [1, 2, 11, 43, 200, 1000])
    func complete(count: Int) {
        for stages in [Self.vocoder, Self.flow, [PartStage(stride: 256, reach: 11)]] {
            for size in [1, 2, 7, 16, 48, 1000] {
                for continuesText in [false, true] {
                    _ = read(stages, count: count, size: size, continuesText: continuesText)
                }
            }
        }
    }

    @Test("Between parts, a stage re-reads only the time steps that it depends on")
    func little() {
        let parts = 5
        for stages in [Self.flow, Self.vocoder] {
            var count = 80
            for (stage, read) in zip(stages, read(stages, count: count, size: 16)) {
                #expect((count...count + (parts - 1) * (2 * stage.reach + 1)).contains(read))
                count *= stage.stride
            }
        }
        // A single stage would read more than twice the total number of time steps.
        #expect(read([PartStage(stride: 1, reach: 32)], count: 80, size: 16)[0] > 2 * 80 + 32)
    }

    @Test("A plan that has no time steps reads nothing")
    func nothing() {
        var plan = StreamPlan(Self.vocoder, count: 0)
        let step = plan.step(to: 0, continuesText: true)
        #expect(step.input.isEmpty && step.output.isEmpty && step.given == 0)
        #expect(step.joins == [StreamPlan.Step.Join](repeating: .init(new: 0..<0, keepingFrom: 0, count: 0), count: 2))
        plan.note(step)
    }

    @Test("A run that reads the entire input anyway computes every time step")
    func toTheEnd() {
        #expect(read(Self.flow, count: 48, size: 16, continuesText: true) == [48, 48, 48, 48])
        #expect(read(Self.flow, count: 48, size: 16) != [48, 48, 48, 48])
    }
}
