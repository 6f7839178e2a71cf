import CSynthONNXRuntime
import Synchronization
import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// A model with a single node, used to probe how ONNX Runtime behaves.
enum ProbeModel {
    /// - Parameter node: A node whose inputs and outputs are all float tensors. They become the model's inputs and
    ///   outputs.
    static func bytes(_ node: GraphNode) -> [UInt8] {
        var graph = ProtobufWriter()
        graph.append(ONNXField.Graph.node, node.bytes(UnsafeRawBufferPointer(start: nil, count: 0)))
        graph.append(2, "probe")
        for (field, names) in [(ONNXField.Graph.input, node.inputs), (ONNXField.Graph.output, node.outputs)] {
            for name in names {
                graph.append(field, (try? GraphValue(name, ElementTypes.float32).bytesWithoutShape()) ?? [])
            }
        }
        var model = ProtobufWriter()
        model.append(1, integer: 8)
        model.append(ONNXField.Model.graph, graph.bytes)
        for (domain, version) in [("", Int64(15)), (node.domain, 1)] {
            var set = ProtobufWriter()
            set.append(ONNXField.OperatorSet.domain, domain)
            set.append(ONNXField.OperatorSet.version, integer: version)
            model.append(ONNXField.Model.operatorSet, set.bytes)
        }
        return model.bytes
    }
}

/// The block size, in channels, of ONNX Runtime's internal channel-blocked layout. It depends on the processor and on
/// the ONNX Runtime version.
enum BlockSize {
    private static let found = Mutex<Int??>(nil)

    /// The block size on this processor, probed once; `nil` if ONNX Runtime has no blocked layout.
    static func found(_ runtime: InferenceRuntime) -> Int? {
        found.withLock { known in
            if let known { return known }
            let size = probe(runtime)
            known = .some(size)
            return size
        }
    }

    /// Finds the block size from the memory positions of a small tensor's values. Returns `nil` if ONNX Runtime has no
    /// blocked layout on this processor.
    static func probe(_ runtime: InferenceRuntime) -> Int? {
        let channels = 32
        // Every value is unique. In a blocked layout, the first channel's second time step follows the first block.
        var numbers = [Float](repeating: 0, count: 2 * channels)
        for position in numbers.indices { numbers[position] = Float(position) }
        let node = GraphNode("ReorderInput", domain: BlockedNodes.domain, inputs: ["input"], outputs: ["output"])
        guard let session = try? InferenceSession(bytes: ProbeModel.bytes(node), runtime),
            let run = try? InferenceRun(),
            let outputs = try? session.run(
                [("input", InferenceTensor(numbers, shape: [1, Int64(channels), 1, 2]))], outputs: ["output"], as: run)
        else { return nil }
        let found = outputs[0].withFloats { Array($0) } ?? []
        return [8, 16].first { block in
            let blocked = Self.blocked(numbers, channels, block)
            return found == blocked
        }
    }

    private static func blocked(_ numbers: [Float], _ channels: Int, _ block: Int) -> [Float] {
        stride(from: 0, to: channels, by: block).flatMap { first in
            (0..<2).flatMap { moment in (first..<first + block).map { numbers[2 * $0 + moment] } }
        }
    }
}
