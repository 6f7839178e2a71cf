import Testing
import TestSupport
import TinyModels

@testable import SynthGraphs
@testable import SynthInference

@Suite("Shapes that a model declares")
struct DeclaredShapesTests {
    /// Returns the file with the keys of shapes replaced.
    private func hidden(_ bytes: [UInt8]) throws -> [UInt8] {
        var result = bytes
        let keys = try bytes.withUnsafeBytes { try DeclaredShapes.keys(in: $0) }
        for key in keys { result[key] = DeclaredShapes.unknownKey }
        return result
    }

    @Test("The declared shapes are hidden, and the computed values do not change")
    func sameNumbers() throws {
        let bytes = TinyVoice.model(hasFlow: true).bytes
        let hidden = try hidden(bytes)
        // Only the three inputs and the output have shapes.
        #expect(zip(bytes, hidden).filter { $0 != $1 }.count == 4)
        let runtime = try KernelDomain.runtime
        let (session, plain) = (
            try InferenceSession(bytes: hidden, runtime), try InferenceSession(bytes: bytes, runtime)
        )
        #expect(session.inputs == plain.inputs)
        #expect(try hidden.withUnsafeBytes { try DeclaredShapes.keys(in: $0) } == [])
        let found = try [session, plain].map {
            try $0.run(TinyVoice.inputs([1, 5, 9]), outputs: ["output"], as: InferenceRun())[0].withFloats { Array($0) }
        }
        #expect(isSame(found[0] ?? [], found[1] ?? [1]))
    }

    @Test("The shapes of intermediate tensors are hidden")
    func innerTensors() throws {
        var value = ProtobufWriter()
        value.append(ONNXField.Value.name, "inner")
        var graph = ProtobufWriter()
        graph.append(ONNXField.Graph.valueInfo, value.bytes)
        // An integer field with the field number of a message field.
        graph.append(ONNXField.Graph.input, integer: 1)
        var model = ProtobufWriter()
        model.append(ONNXField.Model.graph, graph.bytes)
        #expect(try model.bytes.withUnsafeBytes { try DeclaredShapes.keys(in: $0) } == [2])
        expectDamage {
            try model.bytes.dropLast().withUnsafeBytes { _ = try DeclaredShapes.keys(in: $0) }
        }
    }
}
