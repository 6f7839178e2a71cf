package import CSynthONNXRuntime
package import SynthGraphs

/// One invocation of a custom operator, with access to ONNX Runtime's tensors.
package struct KernelRun {
    package struct Floats {
        /// The pointer to the numbers; `nil` if the tensor is empty.
        package let numbers: UnsafePointer<Float>?
        package let shape: [Int64]
    }

    private let api: OrtApi
    private let context: OpaquePointer

    package init(_ api: OrtApi, _ context: OpaquePointer) {
        self.api = api
        self.context = context
    }

    /// Returns an input. ONNX Runtime has verified that the input is a float tensor.
    package func input(_ number: Int) throws(InferenceError) -> Floats {
        let (bytes, shape) = try tensor(number)
        return Floats(numbers: bytes.map { UnsafePointer($0.assumingMemoryBound(to: Float.self)) }, shape: shape)
    }

    /// Returns an input vector. ONNX Runtime has verified that it contains integers.
    package func integers(_ number: Int) throws(InferenceError) -> [Int64] {
        let (bytes, shape) = try tensor(number)
        guard shape.count == 1, let bytes else { return [] }
        return Array(UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: Int64.self), count: Int(shape[0])))
    }

    private func tensor(_ number: Int) throws(InferenceError) -> (bytes: UnsafeMutableRawPointer?, shape: [Int64]) {
        var value: OpaquePointer?
        try check(api.KernelContext_GetInput(context, number, &value))
        var info: OpaquePointer?
        try check(api.GetTensorTypeAndShape(value, &info))
        defer { api.ReleaseTensorTypeAndShapeInfo(info) }
        var rank = 0
        try check(api.GetDimensionsCount(info, &rank))
        var shape = [Int64](repeating: 0, count: rank)
        try check(api.GetDimensions(info, &shape, rank))
        // ONNX Runtime's only function for this returns a mutable pointer. Nothing is written through it.
        var bytes: UnsafeMutableRawPointer?
        try check(api.GetTensorMutableData(value, &bytes))
        return (bytes, shape)
    }

    /// Returns an optional input, or `nil` if it is omitted.
    package func optionalInput(_ number: Int) throws(InferenceError) -> Floats? {
        var count = 0
        try check(api.KernelContext_GetInputCount(context, &count))
        guard number < count else { return nil }
        var value: OpaquePointer?
        try check(api.KernelContext_GetInput(context, number, &value))
        return value == nil ? nil : try input(number)
    }

    /// Allocates an output. Returns `nil` if the output is empty.
    package func output(_ shape: [Int64], number: Int = 0) throws(InferenceError) -> UnsafeMutablePointer<Float>? {
        var value: OpaquePointer?
        try check(api.KernelContext_GetOutput(context, number, shape, shape.count, &value))
        var bytes: UnsafeMutableRawPointer?
        try check(api.GetTensorMutableData(value, &bytes))
        return bytes?.assumingMemoryBound(to: Float.self)
    }

    /// Calls `body` in parallel on all of the session's threads, passing `work` and each number from 0 to `count - 1`.
    package func onThreads<Work: BitwiseCopyable>(
        _ count: Int, _ work: Work, _ body: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
    ) throws(InferenceError) {
        var work = work
        try check(api.KernelContext_ParallelFor(context, body, count, 0, &work))
    }

    private func check(_ status: OpaquePointer?) throws(InferenceError) { try api.check(status, .run) }
}

/// The attributes of a custom operator's node.
package struct KernelAttributes {
    package let api: OrtApi
    private let info: OpaquePointer

    package init(_ api: OrtApi, _ info: OpaquePointer) {
        self.api = api
        self.info = info
    }

    package func float(_ name: String) throws(InferenceError) -> Float {
        var value: Float = 0
        try api.check(api.KernelInfoGetAttribute_float(info, name, &value), .model)
        return value
    }

    package func integer(_ name: String) throws(InferenceError) -> Int {
        var value: Int64 = 0
        try api.check(api.KernelInfoGetAttribute_int64(info, name, &value), .model)
        return Int(value)
    }
}

extension InferenceError {
    /// Returns the error as a status, which ONNX Runtime releases.
    package func status(_ api: OrtApi) -> OpaquePointer? { api.CreateStatus(ORT_INVALID_ARGUMENT, description) }
}

/// The kernel of a custom operator.
package protocol CustomKernel: AnyObject {
    static var name: StaticString { get }
    var api: OrtApi { get }

    init(_ attributes: KernelAttributes) throws(InferenceError)

    /// Computes the outputs. Several threads may call this concurrently.
    func compute(_ run: KernelRun) throws(InferenceError)
}

/// The C functions of a custom operator. Each returns an error status, or `nil` on success.
extension CustomKernel {
    package static var operatorName: UnsafePointer<CChar> {
        UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    package static func create(
        _ api: UnsafePointer<OrtApi>?, _ info: OpaquePointer?,
        _ kernel: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> OpaquePointer? {
        guard let api, let info, let kernel else { return nil }
        do throws(InferenceError) {
            kernel.pointee = Unmanaged.passRetained(try Self(KernelAttributes(api.pointee, info))).toOpaque()
            return nil
        } catch {
            return error.status(api.pointee)
        }
    }

    package static func compute(_ kernel: UnsafeMutableRawPointer?, _ context: OpaquePointer?) -> OpaquePointer? {
        guard let kernel, let context else { return nil }
        let made = Unmanaged<Self>.fromOpaque(kernel).takeUnretainedValue()
        do throws(InferenceError) {
            try made.compute(KernelRun(made.api, context))
            return nil
        } catch {
            return error.status(made.api)
        }
    }
}

extension OrtCustomOp {
    /// The defaults for all custom operators: each reads float tensors and writes one float tensor. A kernel is an
    /// object that ONNX Runtime retains.
    package static var ofFloats: OrtCustomOp {
        var description = OrtCustomOp()
        description.version = UInt32(ORT_API_VERSION)
        description.GetExecutionProviderType = { _ in nil }
        description.GetInputType = { _, _ in ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT }
        description.GetInputMemoryType = { _, _ in OrtMemTypeDefault }
        description.GetOutputTypeCount = { _ in 1 }
        description.GetOutputType = { _, _ in ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT }
        description.GetOutputCharacteristic = { _, _ in INPUT_OUTPUT_REQUIRED }
        description.GetInputCharacteristic = { _, _ in INPUT_OUTPUT_REQUIRED }
        description.GetStartVersion = { _ in 1 }
        description.GetEndVersion = { _ in .max }
        description.KernelDestroy = { kernel in
            guard let kernel else { return }
            Unmanaged<AnyObject>.fromOpaque(kernel).release()
        }
        return description
    }
}
