import Foundation
import Synchronization
import Testing
import TestNumbers
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite struct FloatFormTests {
    private static let shapes = [
        QuantizedVoice.Shape(), .init(hasChannels: false), .init(isSigned: false), .init(isFused: true),
        .init(isSigned: false, isFused: true), .init(hasRecurrence: false),
        .init(hasRecurrence: false, hasTable: true), .init(hasRecurrence: false, blockBits: 4), .init(blockBits: 8),
    ]

    /// Runs both models and returns the maximum difference between their samples.
    private func compare(_ first: [UInt8], _ second: [UInt8]) throws -> Float {
        var largest: Float = 0
        for frames in [2, 3, 40] {
            let inputs = TinyModel.frames(frames, channels: QuantizedVoice.channels, seed: 3)
            let (found, expected) = (try TinyModel.run(first, inputs), try TinyModel.run(second, inputs))
            #expect(found.shape == expected.shape)
            largest = max(largest, relativeDifference(expected.numbers, found.numbers))
        }
        return largest
    }

    @Test("Quantized weights become the floats that they represent", arguments: shapes)
    func weights(shape: QuantizedVoice.Shape) throws {
        let voice = QuantizedVoice(shape)
        let found = try TinyModel.rewritten(voice.quantized.bytes) {
            let count = try DequantizedWeights.apply(to: &$0)
            #expect(count == shape.productCount)
            #expect($0.count("Conv") == (shape.hasTable ? 2 : 1) && (!shape.hasTable || $0.count("Add") == 1))
            #expect(!DequantizedWeights.areUsed(in: $0.graph) && $0.count("DynamicQuantizeLinear") == 0)
        }
        #expect(try compare(found, voice.floats.bytes) <= 1e-6)
        // The quantized model quantizes activations at run time.
        let difference = try compare(found, voice.quantized.bytes)
        #expect(difference > 1e-6 && difference < 0.1)
    }

    @Test("Weights that several nodes read are converted once")
    func shared() throws {
        var model = QuantizedVoice(.init(hasRecurrence: false)).quantized
        let (product, name) = (TinyModel.place("MatMulInteger", in: model), "again")
        var copy = model.nodes[product]
        copy.outputs = [name]
        model.nodes.append(copy)
        let scale = model.nodes[TinyModel.place("Mul", in: model)].inputs[1]
        let sum = model.add("Cast", [name], ["to": .integer(1)])
        model.output(model.add("Mul", [sum, scale]))
        try model.bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(try DequantizedWeights.apply(to: &editor) == 3)
            let products = editor.graph.nodes.filter { $0.operation == "MatMul" }
            #expect(products.count == 2 && Set(products.map { $0.inputs[1] }).count == 1)
        }
    }

    @Test("Blocks whose sizes do not match are rejected")
    func blocks() throws {
        let changes: [(inout GraphNode) -> Void] = [
            { $0.inputs[1] = $0.inputs[3] }, { $0.inputs[2] = $0.inputs[0] }, { $0.inputs[3] = $0.inputs[1] },
            { $0.inputs += [$0.inputs[3]] }, { $0.attributes.removeAll { $0.name == "K" } },
            { $0.attributes = $0.attributes.map { GraphAttribute($0.name, .integer(.max)) } },
            { $0.attributes = $0.attributes.map { $0.name == "bits" ? GraphAttribute("bits", .integer(3)) : $0 } },
        ]
        for (number, change) in changes.enumerated() {
            var model = QuantizedVoice(.init(hasRecurrence: false, blockBits: 4)).quantized
            change(&model.nodes[TinyModel.place("MatMulNBits", in: model)])
            expectRefusal("\(number)") {
                _ = try TinyModel.rewritten(model.bytes) { _ = try DequantizedWeights.apply(to: &$0) }
            }
        }
    }

    @Test("A model that cannot be converted to floats is rejected and left unchanged")
    func refused() throws {
        let changes: [(inout TinyModel) -> Void] = [
            { $0.nodes[TinyModel.place("Cast", in: $0)].operation = "Identity" },
            { $0.nodes[TinyModel.place("MatMulInteger", in: $0)].inputs = [] },
            { $0.nodes[TinyModel.place("MatMulInteger", in: $0)].inputs[1] = "input" },
            { $0.nodes[TinyModel.place("ConvInteger", in: $0)].inputs[0] = "input" },
            { model in
                let wrong = model.constant([Float](repeating: 1, count: 5), [5])
                let scale = TinyModel.place("Mul", in: model)
                guard
                    let maker = model.nodes.firstIndex(where: { [name = model.nodes[scale].inputs[1]] in
                        $0.outputs == [name]
                    })
                else { return }
                model.nodes[maker].inputs[1] = wrong
            },
        ]
        for (number, change) in changes.enumerated() {
            var model = QuantizedVoice(.init(hasRecurrence: false)).quantized
            change(&model)
            expectRefusal("\(number)") {
                _ = try TinyModel.rewritten(model.bytes) { _ = try DequantizedWeights.apply(to: &$0) }
            }
        }
    }

    @Test("Half-precision numbers become 32-bit floats")
    func half() throws {
        let voice = HalfVoice()
        let bytes = voice.half.bytes
        let found = try bytes.withUnsafeBytes { memory in
            var graph = try ModelGraph(memory)
            #expect(HalfPrecision.isUsed(in: graph))
            try HalfPrecision.remove(from: &graph)
            #expect(!HalfPrecision.isUsed(in: graph))
            return try graph.bytes()
        }
        #expect(try compare(found, voice.floats.bytes) <= 1e-6)
    }

    @Test("32-bit integers become floats, with one scale per channel")
    func longs() throws {
        var model = TinyModel()
        let numbers: [Int32] = [-70_000, 3, 1 << 20]
        let bytes = numbers.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
        let scales: [Float] = [0.5, 2, 0.25]
        let name = model.add("DequantizeLinear", [model.constant(bytes, .int32, [3]), model.constant(scales, [3])])
        model.output(model.add("Add", [model.input("input", .float32, rank: 3), name]))
        try model.bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(try DequantizedWeights.apply(to: &editor) == 1)
            let constants = try editor.graph.initializers.map { try editor.floats($0.name).numbers }
            #expect(constants == [[-35_000, 6, 262_144]])
        }
    }

    @Test(
        "Depending on the axis, each row or each column has its own scale",
        arguments: [(0, true), (1, false), (-1, false), (nil, false)])
    func axes(axis: Int64?, isByRow: Bool) throws {
        var model = TinyModel()
        let name = model.add(
            "DequantizeLinear",
            [model.constant([1, 2, 3, 4], .int8, [2, 2]), model.constant([10, 100] as [Float], [2])],
            axis.map { ["axis": .integer($0)] } ?? [:])
        model.output(model.add("MatMul", [model.input("input", .float32, rank: 3), name]))
        try model.bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(try DequantizedWeights.apply(to: &editor) == 1)
            let constants = try editor.graph.initializers.map { try editor.floats($0.name).numbers }
            #expect(constants == [isByRow ? [10, 20, 300, 400] : [10, 200, 30, 400]])
        }
    }

    @Test("Nodes that read the same weights along different axes get separate floats")
    func sharedAxes() throws {
        var model = TinyModel()
        let numbers = model.constant([1, 2, 3, 4], .int8, [2, 2])
        let scales = model.constant([10, 100] as [Float], [2])
        let input = model.input("input", .float32, rank: 3)
        for axis: Int64 in [0, 1, 0] {
            let name = model.add("DequantizeLinear", [numbers, scales], ["axis": .integer(axis)])
            model.output(model.add("MatMul", [input, name]))
        }
        try model.bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(try DequantizedWeights.apply(to: &editor) == 3)
            let constants = try editor.graph.initializers.map { try editor.floats($0.name).numbers }
            #expect(Set(constants) == [[10, 20, 300, 400], [10, 200, 30, 400]] && constants.count == 2)
        }
    }

    @Test("Scales along a middle axis, scales per block, and several scales for a table are rejected")
    func unknownScales() throws {
        let changes: [(inout TinyModel) -> Void] = [
            {
                $0.nodes[TinyModel.place("DequantizeLinear", in: $0)].attributes = [GraphAttribute("axis", .integer(1))]
            },
            {
                $0.nodes[TinyModel.place("DequantizeLinear", in: $0)].attributes = [
                    GraphAttribute("axis", .integer(0)), GraphAttribute("block_size", .integer(1)),
                ]
            },
            { model in
                let node = TinyModel.place("DequantizeLinear", in: model)
                let table = model.nodes[node].inputs[0]
                model.nodes[node].inputs[0] = model.add("Gather", [table, model.constant([0, 1] as [Int64])])
            },
        ]
        for (number, change) in changes.enumerated() {
            var model = TinyModel()
            let bytes = (0..<8).map { UInt8($0) }
            let name = model.add(
                "DequantizeLinear",
                [model.constant(bytes, .int8, [2, 2, 2]), model.constant([10, 100] as [Float], [2])],
                ["axis": .integer(0)])
            model.output(model.add("Add", [model.input("input", .float32, rank: 3), name]))
            change(&model)
            expectRefusal("\(number)") {
                _ = try TinyModel.rewritten(model.bytes) { _ = try DequantizedWeights.apply(to: &$0) }
            }
        }
    }

    @Test("If both constants of an activation were rounded, the second is replaced by the exact inverse of the first")
    func inverses() throws {
        let factors = (0..<8).map { Float($0) / 7 + 0.3 }
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 3)
        let product = model.add("Mul", [model.constant(factors.map { $0 * (1 + 0x1p-12) }, [1, 8, 1]), input])
        let wave = model.add("Sin", [model.add("Cast", [product], ["to": .integer(1)])])
        let square = model.add("Pow", [wave, model.constant([Float(2)], [])])
        let inverse = model.constant(factors.map { 1 / $0 }, [1, 8, 1])
        let other = model.constant(factors.map { 1.1 / $0 }, [1, 8, 1])
        model.output(model.add("Mul", [inverse, square]))
        let more = model.add("Sin", [model.add("Mul", [input, model.constant(factors, [1, 8, 1])])])
        model.output(model.add("Mul", [other, model.add("Pow", [more, model.constant([Float(2)], [])])]))
        try model.bytes.withUnsafeBytes { memory in
            var graph = try ModelGraph(memory)
            RoundedInverses.restore(in: &graph)
            let editor = GraphEditor(graph, weights: UnsafeRawBufferPointer(start: nil, count: 0))
            #expect(try editor.floats(inverse).numbers == factors.map { 1 / ($0 * (1 + 0x1p-12)) })
            #expect(try editor.floats(other).numbers == factors.map { 1.1 / $0 })
        }
    }

    @Test("A session reports why a model's numbers were not converted to floats")
    func reason() throws {
        let (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
        var model = QuantizedVoice(.init(hasRecurrence: false)).quantized
        let product = model.nodes[TinyModel.place("ConvInteger", in: model)]
        model.output(model.add("Cast", [product.outputs[0]], ["to": .integer(1)]))
        let path = try folder.write(Data(model.bytes), to: "a.onnx")
        let inputs = TinyModel.frames(30, channels: QuantizedVoice.channels, seed: 3)
        func open() throws -> InferenceSession {
            try InferenceSession(model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: .styled)
        }
        let first = try open()
        first.rewrite(checkedBy: RewriteCheck(inputs, output: "output")) { _ in }
        first.finishCache()
        let told = try open().form.description
        #expect(told.hasPrefix("as published, because"))
        #expect(
            told.contains(
                "the model's weights cannot be converted to floats: a ConvInteger node is used in an unsupported way"),
            "\(told)")
    }

    @Test("A session with a cache uses floats from its first run onward and leaves no extra files behind")
    func session() throws {
        let (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
        let voice = QuantizedVoice(.init())
        let path = try folder.write(Data(voice.quantized.bytes), to: "a.onnx")
        let plain = try folder.write(Data(voice.floats.bytes), to: "b.onnx")
        let inputs = TinyModel.frames(30, channels: QuantizedVoice.channels, seed: 3)
        func speak(_ session: InferenceSession) throws -> [Float] {
            try session.run(inputs, outputs: ["output"], as: InferenceRun())[0].withFloats { Array($0) } ?? []
        }
        let outcomes = Outcomes()
        func open() throws -> InferenceSession {
            let session = try InferenceSession(
                model: path, threads: 1, cacheDirectory: cache.path, rewrittenAs: .styled)
            session.rewrite(checkedBy: RewriteCheck(inputs, output: "output")) { outcome in
                outcomes.all.withLock { $0.append(outcome) }
            }
            return session
        }
        let expected = try speak(try InferenceSession(model: plain, threads: 1))
        let first = try open()
        #expect(relativeDifference(expected, try speak(first)) <= 1e-5)
        first.finishCache()
        let second = try open()
        #expect(second.isFromCache)
        #expect(relativeDifference(expected, try speak(second)) <= 1e-5)
        #expect(outcomes.all.withLock { $0.map(\.kind) } == [.rewritten])
        #expect(second.form.description.hasPrefix("rewritten: 3 quantized nodes converted to floats"))
        #expect(try !cache.entries().contains { $0.contains("floats") })
    }
}
