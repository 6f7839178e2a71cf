package import CSynthHibari
import EngineKit
import SynthGraphs

/// A voice's weights, packed for the processor. They are read-only and shared by all lanes.
package final class HibariWeights: Sendable {
    /// The memory behind this pointer never changes.
    package nonisolated(unsafe) let pointer: OpaquePointer

    /// - Parameter path: The path of the voice's graph.
    package init(path: String) throws {
        let file: MappedFile
        do {
            file = try MappedFile(path)
        } catch {
            throw HibariFailure.model("cannot be read: \(error)")
        }
        let graph: ModelGraph
        do {
            graph = try ModelGraph(file.bytes)
        } catch {
            throw HibariFailure.model("is not a complete ONNX file")
        }
        let tensors = try HibariGraph.tensors(of: graph)
        var problem = hb_error()
        let model = tensors.withTensors { hb_model_build($0.baseAddress, $0.count, &problem) }
        guard let model else {
            let message = Self.message(of: problem)
            throw problem.code == HB_ERROR_MEMORY
                ? EngineError(.outOfMemory, message) : HibariFailure.model("cannot be used: \(message)")
        }
        pointer = model
    }

    deinit { hb_model_free(pointer) }

    /// The vocabulary size. Every symbol ID is below this number.
    var vocabulary: Int { Int(hb_model_vocabulary(pointer)) }

    /// The instruction set in use, such as "avx512-vnni".
    var kernels: String { String(cString: hb_model_kernels(pointer)) }

    package static func message(of error: hb_error) -> String {
        withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
