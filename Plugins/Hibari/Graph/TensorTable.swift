import CSynthHibari
import SynthGraphs

/// A voice's tensors, keyed by the names that the compute core uses.
///
/// Most tensor data stays in the mapped file and is not copied. This object owns the memory of the few tensors that are
/// computed.
final class TensorTable {
    private struct Entry {
        var name: String
        var type: hb_type
        var shape: [UInt32]
        /// Points into the mapped file or into `made`.
        var bytes: UnsafeRawBufferPointer
    }

    private var entries: [Entry] = []
    private var made: [UnsafeMutableRawBufferPointer] = []
    private var names: Set<String> = []

    deinit { for bytes in made { bytes.deallocate() } }

    /// Adds a constant from the graph. A layer shared by several passes is added only once.
    func add(_ name: String, _ tensor: GraphTensor, of graph: ModelGraph) throws {
        guard let (shape, count) = tensor.sizes, let type = Self.type(of: tensor.element), (1...4).contains(shape.count)
        else {
            throw HibariFailure.model(
                "is not a hibari voice: the tensor \(name) has an unexpected element type or shape")
        }
        if case .outside = tensor.numbers {
            throw HibariFailure.model("stores its weights in a separate file, which no published hibari voice does")
        }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let width = type == HB_INT8 ? 1 : 4
        guard let (memory, range) = graph.raw(tensor, weights: none), range.count % width == 0,
            range.count / width == count
        else {
            throw HibariFailure.model(
                "is damaged: the tensor \(name) does not have as many elements as its shape requires")
        }
        try append(name, type, shape, UnsafeRawBufferPointer(rebasing: memory[range]))
    }

    func add(_ name: String, floats: [Float]) throws {
        try append(name, HB_FLOAT32, [floats.count], keep(floats))
    }

    func add(_ name: String, integer: Int) throws {
        try append(name, HB_INT32, [1], keep([Int32(clamping: integer)]))
    }

    /// Calls `body` with all tensors in the compute core's format.
    func withTensors<Result>(_ body: (UnsafeBufferPointer<hb_tensor>) -> Result) -> Result {
        var text: [CChar] = []
        var places: [Int] = []
        for entry in entries {
            places.append(text.count)
            text += entry.name.utf8.map { CChar(bitPattern: $0) }
        }
        return text.withUnsafeBufferPointer { text in
            let tensors = zip(entries, places).map { entry, position in
                var tensor = hb_tensor()
                tensor.name = text.baseAddress.map { $0 + position }
                tensor.name_length = entry.name.utf8.count
                tensor.type = entry.type
                tensor.rank = Int32(entry.shape.count)
                let dims = entry.shape + [UInt32](repeating: 1, count: 4 - entry.shape.count)
                tensor.dims = (dims[0], dims[1], dims[2], dims[3])
                tensor.data = entry.bytes.baseAddress
                tensor.size = entry.bytes.count
                return tensor
            }
            return tensors.withUnsafeBufferPointer(body)
        }
    }

    private func append(
        _ name: String, _ type: hb_type, _ shape: [Int], _ bytes: UnsafeRawBufferPointer
    ) throws {
        guard names.insert(name).inserted else { return }
        let sizes = shape.compactMap { UInt32(exactly: $0) }
        guard sizes.count == shape.count, !bytes.isEmpty else {
            throw HibariFailure.model("is not a hibari voice: the tensor \(name) is empty or too large")
        }
        entries.append(Entry(name: name, type: type, shape: sizes, bytes: bytes))
    }

    private func keep<Number: BitwiseCopyable>(_ numbers: [Number]) -> UnsafeRawBufferPointer {
        numbers.withUnsafeBytes { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            copy.copyMemory(from: bytes)
            made.append(copy)
            return UnsafeRawBufferPointer(copy)
        }
    }

    private static func type(of element: GraphTensor.Element?) -> hb_type? {
        switch element {
        case .float32?: HB_FLOAT32
        case .int8?: HB_INT8
        case .int32?: HB_INT32
        default: nil
        }
    }
}
