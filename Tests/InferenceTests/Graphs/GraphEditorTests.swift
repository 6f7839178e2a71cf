import Testing
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct GraphEditorTests {
    private func edit(_ model: TinyModel, _ body: (inout GraphEditor) throws -> Void) throws {
        let bytes = model.bytes
        try bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            try body(&editor)
        }
    }

    private func chain() -> TinyModel {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let first = model.add("Add", [input, model.constant([Float(1)], [1])], as: "first")
        let second = model.add("Neg", [first], as: "second")
        model.output(model.add("Add", [second, first], as: "output"))
        return model
    }

    @Test("A replaced node is removed along with its constants, and the new node precedes all that read it")
    func replacement() throws {
        try edit(chain()) { editor in
            #expect(editor.graph.nodes.map(\.operation) == ["Add", "Neg", "Add"])
            _ = editor.add("Mul", ["input", editor.constant([3], shape: [1])], as: "first")
            try editor.replace([0])
            #expect(editor.graph.nodes.map(\.operation) == ["Mul", "Neg", "Add"])
            #expect(editor.graph.initializers.count == 1)
            let name = editor.graph.initializers[0].name
            #expect(editor.graph.nodes[0].inputs == ["input", name])
            let bytes = try editor.graph.bytes()
            let sound = try TinyModel.run(bytes, TinyModel.frames(2, channels: 2))
            #expect(sound.numbers.allSatisfy { $0 == 0 } && sound.shape == [1, 2, 2])
        }
    }

    @Test("The editor finds a tensor's readers and determines whether it is an output")
    func readers() throws {
        try edit(chain()) { editor in
            #expect(editor.readers["first"] == [1, 2])
            #expect(!editor.hasOneReader("first") && editor.hasOneReader("second"))
            #expect(!editor.hasOneReader("output") && editor.isOuter("output") && !editor.isOuter("first"))
            #expect(editor.producers["second"] == 1 && editor.isConstant("c0") && !editor.isConstant("input"))
            let constant = try editor.floats("c0")
            #expect(constant.numbers == [1] && constant.shape == [1])
            expectRefusal { _ = try editor.floats("first") }
        }
    }

    @Test("Nodes that would form a cycle are rejected, and the graph does not change")
    func circle() throws {
        try edit(chain()) { editor in
            _ = editor.add("Abs", ["output"], as: "first")
            expectRefusal { try editor.replace([0]) }
            #expect(editor.graph.nodes.map(\.operation) == ["Add", "Neg", "Add"])
        }
    }

    @Test("Large constants are aligned and added to the smallest weights file, and small ones are added to the graph")
    func weights() throws {
        try edit(chain()) { editor in
            let large = editor.constant([Float](repeating: 2, count: 300), shape: [300])
            let small = editor.constant([Float](repeating: 2, count: 3), shape: [3])
            let others = [301, 302].map { editor.constant([Float](repeating: 3, count: $0), shape: [$0]) }
            let axis = GraphAttribute("axis", .integer(0))
            _ = editor.add("Concat", [large, small] + others, as: "first", [axis])
            try editor.replace([0])
            var added = AddedWeights(locations: ["one", "two"])
            let bytes = try editor.graph.bytes(&added)
            #expect(added.pieces.map(\.file) == [0, 1, 0] && added.pieces.map(\.position) == [0, 0, 1216])
            #expect(added.pieces.map(\.numbers.byteCount) == [1200, 1204, 1208] && added.fileCount == 2)
            try bytes.withUnsafeBytes { memory in
                let graph = try ModelGraph(memory)
                #expect(graph.externalSize == 1216 + 1208)
                let places = graph.initializers.map { tensor -> UInt64? in
                    if case .outside(let offset, _) = tensor.numbers { offset } else { nil }
                }
                #expect(places == [0, nil, 0, 1216])
            }
        }
    }

    @Test("Weights outside their file cannot be read")
    func outside() throws {
        var writer = ProtobufWriter()
        writer.append(1, integer: 25)
        writer.append(2, integer: 1)
        writer.append(8, "w")
        for (key, value) in [("offset", "40"), ("length", "100")] {
            var entry = ProtobufWriter()
            entry.append(1, key)
            entry.append(2, value)
            writer.append(13, entry.bytes)
        }
        var graph = ProtobufWriter()
        graph.append(5, writer.bytes)
        var model = ProtobufWriter()
        model.append(7, graph.bytes)
        let bytes = model.bytes
        for (size, isReadable) in [(140, true), (139, false), (0, false)] {
            let weights = [UInt8](repeating: 0, count: size)
            try bytes.withUnsafeBytes { memory in
                try weights.withUnsafeBytes { weights in
                    let editor = GraphEditor(try ModelGraph(memory), weights: weights)
                    let numbers = try? editor.floats("w").numbers
                    #expect(numbers == (isReadable ? [Float](repeating: 0, count: 25) : nil))
                }
            }
        }
    }
}
