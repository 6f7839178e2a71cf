import Testing
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("The StreamJoin operator") struct StreamJoinTests {
    /// A model with a single node, which accepts any rank.
    private static func model(block: GraphAttribute.Value, rank: Int = 3) throws -> [UInt8] {
        var model = TinyModel()
        _ = model.input("input", .float32, rank: rank)
        _ = model.input("kept", .float32, rank: rank)
        _ = model.input("places", .int64, rank: 1)
        model.output(model.add("Identity", ["input"], as: "joined"))
        model.output(model.add("Identity", ["kept"], as: "next"))
        return try TinyModel.rewritten(model.bytes) { editor in
            _ = editor.add(
                StreamJoin.name.description, domain: GraphNode.ownDomain, ["input", "kept", "places"], as: "joined",
                [GraphAttribute(StreamJoin.block, block)], also: ["next"])
            try editor.replace([0, 1])
        }
    }

    private static func run(
        _ input: InferenceTensor, _ kept: InferenceTensor, _ places: [Int64], block: Int64 = 1
    ) throws -> (joined: InferenceTensor, next: InferenceTensor) {
        let runtime = try KernelDomain.runtime
        let session = try InferenceSession(
            bytes: try model(block: .integer(block), rank: input.shape.count), runtime)
        let found = try session.run(
            [
                ("input", input), ("kept", kept),
                ("places", InferenceTensor(places, shape: [Int64(places.count)])),
            ], outputs: ["joined", "next"], as: InferenceRun())
        return (try found[0].tensor(), try found[1].tensor())
    }

    private static func numbers(_ tensor: InferenceTensor) -> [Float] {
        if case .float32(let numbers) = tensor.values { numbers } else { [] }
    }

    private static let nothing = InferenceTensor([Float](), shape: [0])

    @Test("Retained time steps are joined with new ones, and the end of the result is retained")
    func joins() throws {
        let input = InferenceTensor([0, 1, 2, 3, 10, 11, 12, 13] as [Float], shape: [1, 2, 4])
        let first = try Self.run(input, Self.nothing, [0, 3, 1, 4])
        #expect(Self.numbers(first.joined) == [0, 1, 2, 10, 11, 12] && first.joined.shape == [1, 2, 3])
        #expect(Self.numbers(first.next) == [1, 2, 11, 12] && first.next.shape == [1, 2, 2])
        let second = try Self.run(input, first.next, [1, 4, 4, 4])
        #expect(Self.numbers(second.joined) == [1, 2, 1, 2, 3, 11, 12, 11, 12, 13])
        #expect(Self.numbers(second.next) == [3, 13])
        // The range to keep may start within previously kept time steps, contain all time steps, or be empty.
        #expect(Self.numbers(try Self.run(input, first.next, [4, 4, 0, 4]).next) == [1, 2, 11, 12])
        #expect(Self.numbers(try Self.run(input, first.next, [0, 1, 1, 4]).next) == [2, 0, 12, 10])
        let none = try Self.run(input, first.next, [0, 1, 3, 4]).next
        #expect(Self.numbers(none).isEmpty && none.shape == [1, 2, 0])
    }

    @Test("Channels in blocks stay together")
    func blocks() throws {
        // The tensor has two blocks of two channels and three time steps.
        let input = InferenceTensor((0..<12).map { Float($0) }, shape: [1, 4, 1, 3])
        let kept = InferenceTensor([-1, -2, -3, -4] as [Float], shape: [1, 4, 1, 1])
        let found = try Self.run(input, kept, [1, 3, 1, 3], block: 2)
        #expect(Self.numbers(found.joined) == [-1, -2, 2, 3, 4, 5, -3, -4, 8, 9, 10, 11])
        #expect(Self.numbers(found.next) == [2, 3, 4, 5, 8, 9, 10, 11] && found.next.shape == [1, 4, 1, 2])
    }

    @Test("A tensor whose single time step applies to all time steps is passed on unchanged")
    func constant() throws {
        let input = InferenceTensor([7, 8] as [Float], shape: [1, 2, 1])
        for input in [
            input, InferenceTensor([7, 8] as [Float], shape: [1, 2]), InferenceTensor([7, 8] as [Float], shape: [2]),
        ] {
            let found = try Self.run(input, Self.nothing, [3, 9, 2, 12])
            #expect(Self.numbers(found.joined) == [7, 8] && found.joined.shape == input.shape)
            #expect(found.next.shape == [0])
        }
        // If only one time step is expected, it is an ordinary time step.
        let only = try Self.run(input, Self.nothing, [0, 1, 0, 1])
        #expect(Self.numbers(only.next) == [7, 8])
    }

    @Test(
        "Positions outside the tensors, and tensors with inconsistent sizes, are rejected",
        arguments: [
            [-1, 2, 0, 4], [3, 2, 0, 4], [0, 5, 0, 4], [0, 2, 5, 4], [0, 2, -1, 4], [0, 2, 0, 3], [0, 2, 0],
            [0, 2, 0, 4, 5], [Int64.min, 2, 0, 4], [0, .max, 0, 4],
        ] as [[Int64]])
    func places(_ places: [Int64]) {
        let input = InferenceTensor([Float](repeating: 1, count: 8), shape: [1, 2, 4])
        let kept = InferenceTensor([Float](repeating: 1, count: 4), shape: [1, 2, 2])
        #expect(throws: InferenceError.self) { _ = try Self.run(input, kept, places) }
    }

    @Test("Retained time steps of a different shape, missing rows of blocks, and invalid block sizes are rejected")
    func shapes() {
        let input = InferenceTensor([Float](repeating: 1, count: 12), shape: [1, 3, 4])
        let kept = InferenceTensor([Float](repeating: 1, count: 4), shape: [1, 2, 2])
        #expect(throws: InferenceError.self) { _ = try Self.run(input, kept, [0, 4, 0, 4]) }
        #expect(throws: InferenceError.self) { _ = try Self.run(input, Self.nothing, [0, 4, 0, 4], block: 2) }
        for block in [0, -1, 1 << 20] as [Int64] {
            #expect(throws: InferenceError.self) { _ = try Self.run(input, Self.nothing, [0, 4, 0, 4], block: block) }
        }
    }
}
