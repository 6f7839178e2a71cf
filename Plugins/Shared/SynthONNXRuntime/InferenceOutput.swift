import CSynthONNXRuntime
public import SynthGraphs

/// An output of a run. It owns memory allocated by ONNX Runtime and releases it on deallocation.
public final class InferenceOutput: Sendable {
    /// The element type.
    public let element: TensorDescription.Element
    /// The size of each axis.
    public let shape: [Int64]
    /// The number of elements, the product of `shape`.
    public let count: Int
    private let runtime: InferenceRuntime
    /// The pointer is valid while this output exists.
    package nonisolated(unsafe) let value: OpaquePointer
    /// The data, which does not change after the run.
    nonisolated(unsafe) private let bytes: UnsafeMutableRawPointer?

    /// Takes ownership of the value, even if the initializer throws.
    package init(_ value: OpaquePointer, _ runtime: InferenceRuntime) throws(InferenceError) {
        self.value = value
        self.runtime = runtime
        let api = runtime.api
        do throws(InferenceError) {
            var isTensor: Int32 = 0
            try runtime.check(api.IsTensor(value, &isTensor), .tensor)
            guard isTensor != 0 else { throw InferenceError(.tensor, "an output of the model is not a tensor") }
            var info: OpaquePointer?
            try runtime.check(api.GetTensorTypeAndShape(value, &info), .tensor)
            defer { api.ReleaseTensorTypeAndShapeInfo(info) }
            var type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED
            var rank = 0
            var count = 0
            try runtime.check(api.GetTensorElementType(info, &type), .tensor)
            try runtime.check(api.GetDimensionsCount(info, &rank), .tensor)
            try runtime.check(api.GetTensorShapeElementCount(info, &count), .tensor)
            var shape = [Int64](repeating: 0, count: rank)
            try runtime.check(api.GetDimensions(info, &shape, rank), .tensor)
            var bytes: UnsafeMutableRawPointer?
            try runtime.check(api.GetTensorMutableData(value, &bytes), .tensor)
            self.element = TensorDescription.Element(type)
            self.shape = shape
            self.count = count
            self.bytes = bytes
        } catch {
            api.ReleaseValue(value)
            throw error
        }
    }

    deinit {
        runtime.api.ReleaseValue(value)
    }

    /// Calls `body` with the numbers without copying them. Returns `nil` if the element type is not `float32`.
    public func withFloats<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result? {
        guard element == .float32 else { return nil }
        return try withExtendedLifetime(self) {
            try body(UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: Float.self), count: count))
        }
    }

    /// Returns the numbers as `Float` if they are `float32` or `float16`; otherwise `nil`.
    public func floats() -> [Float]? {
        switch element {
        case .float32: withFloats { Array($0) }
        case .float16:
            withExtendedLifetime(self) {
                UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: Float16.self), count: count).map { Float($0) }
            }
        case .float64, .int32, .int64, .bool, .other: nil
        }
    }

    /// Returns the numbers converted to `Double`, or `nil` for an element type that no speech model uses.
    public func doubles() -> [Double]? {
        switch element {
        case .float32: numbers(Float.self) { Double($0) }
        case .float64: numbers(Double.self) { $0 }
        case .int32: numbers(Int32.self) { Double($0) }
        case .int64: numbers(Int64.self) { Double($0) }
        case .float16: numbers(Float16.self) { Double($0) }
        case .bool, .other: nil
        }
    }

    /// Returns the output as an input for another run. Throws if the element type is not `float32`.
    package func tensor() throws(InferenceError) -> InferenceTensor {
        guard let numbers = withFloats({ Array($0) }) else {
            throw InferenceError(.tensor, "a tensor does not contain floats")
        }
        return InferenceTensor(numbers, shape: shape)
    }

    /// Returns a range along the last axis as an input for another run. Throws if the element type is not `float32`.
    package func tensor(moments: Range<Int>) throws(InferenceError) -> InferenceTensor {
        guard let last = shape.last.map({ Int(clamping: $0) }), last > 0,
            moments.lowerBound >= 0, moments.upperBound <= last
        else { throw InferenceError(.tensor, "a tensor does not contain the requested frames") }
        let numbers = withFloats { numbers in
            stride(from: 0, to: numbers.count, by: last).flatMap {
                numbers[$0 + moments.lowerBound..<$0 + moments.upperBound]
            }
        }
        guard let numbers else { throw InferenceError(.tensor, "a tensor does not contain floats") }
        return InferenceTensor(numbers, shape: shape.dropLast() + [Int64(moments.count)])
    }

    private func numbers<Number>(_ type: Number.Type, _ widen: (Number) -> Double) -> [Double] {
        withExtendedLifetime(self) {
            UnsafeBufferPointer(start: bytes?.assumingMemoryBound(to: type), count: count).map(widen)
        }
    }
}
