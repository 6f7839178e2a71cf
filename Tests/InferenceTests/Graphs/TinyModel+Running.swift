import Foundation
import Testing
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

extension TinyModel {
    /// Runs a model given as bytes and returns the values of the first output.
    static func run(
        _ bytes: [UInt8], _ inputs: [(name: String, tensor: InferenceTensor)], output: String = "output",
        threads: Int = 1
    ) throws -> (shape: [Int64], numbers: [Float]) {
        let folder = try TemporaryFolder()
        let session = try InferenceSession(model: try folder.write(Data(bytes), to: "tiny.onnx"), threads: threads)
        let found = try session.run(inputs, outputs: [output], as: InferenceRun())[0]
        return (found.shape, found.withFloats { Array($0) } ?? [])
    }

    /// Rewrites a model and returns its new bytes.
    static func rewritten(
        _ bytes: [UInt8], _ rewrite: (inout GraphEditor) throws -> Void
    ) throws -> [UInt8] {
        try bytes.withUnsafeBytes { memory in
            var editor = GraphEditor(try ModelGraph(memory), weights: UnsafeRawBufferPointer(start: nil, count: 0))
            try rewrite(&editor)
            return try editor.graph.bytes()
        }
    }
}

/// Checks that a rewrite rejects a model without reporting damage or an unusable file.
func expectRefusal(
    _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    #expect(comment(), sourceLocation: sourceLocation) {
        try body()
    } throws: { error in
        (error as? InferenceError)?.reason == .refused
    }
}

/// Checks that bytes are reported as damaged.
func expectDamage(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
    #expect(sourceLocation: sourceLocation) {
        try body()
    } throws: { error in
        (error as? InferenceError)?.reason == .damaged
    }
}
