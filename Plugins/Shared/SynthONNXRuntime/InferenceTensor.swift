package import CSynthONNXRuntime
package import SynthGraphs

/// An input of a run: numbers in row-major order and their shape.
public struct InferenceTensor: Sendable {
    /// The numbers in a tensor, with their element type.
    public enum Values: Sendable {
        case float32([Float])
        case float16([Float16])
        case int32([Int32])
        case int64([Int64])
        case bool([Bool])
        /// The output of another run, used without copying.
        case output(InferenceOutput)

        package var count: Int {
            switch self {
            case .float32(let values): values.count
            case .float16(let values): values.count
            case .bool(let values): values.count
            case .output(let output): output.count
            case .int32(let values): values.count
            case .int64(let values): values.count
            }
        }
    }

    /// The numbers in row-major order.
    public var values: Values
    /// The size of each axis.
    public var shape: [Int64]

    /// `shape` must match the number of values.
    public init(_ values: Values, shape: [Int64]) {
        self.values = values
        self.shape = shape
    }

    /// Creates a `float32` tensor.
    public init(_ values: [Float], shape: [Int64]) {
        self.init(.float32(values), shape: shape)
    }

    /// Creates an `int32` tensor.
    public init(_ values: [Int32], shape: [Int64]) {
        self.init(.int32(values), shape: shape)
    }

    /// Creates an `int64` tensor.
    public init(_ values: [Int64], shape: [Int64]) {
        self.init(.int64(values), shape: shape)
    }

    /// Creates a `bool` tensor.
    public init(_ values: [Bool], shape: [Int64]) {
        self.init(.bool(values), shape: shape)
    }

    /// Creates an input from an output of another run, without copying.
    public init(_ output: InferenceOutput) {
        self.init(.output(output), shape: output.shape)
    }

    /// Appends a float tensor along the last axis. All other axes must have the same lengths in both tensors.
    package mutating func append(moments other: InferenceTensor) {
        guard case .float32(let first) = values, case .float32(let second) = other.values,
            let length = shape.last.map({ Int($0) }), let more = other.shape.last.map({ Int($0) }), length > 0, more > 0
        else { return }
        var joined: [Float] = []
        joined.reserveCapacity(first.count + second.count)
        for row in 0..<first.count / length {
            joined += first[row * length..<(row + 1) * length]
            joined += second[row * more..<(row + 1) * more]
        }
        values = .float32(joined)
        shape[shape.count - 1] += Int64(more)
    }
}

extension TensorDescription.Element {
    package init(_ type: ONNXTensorElementDataType) { self.init(number: UInt64(type.rawValue)) }
}
