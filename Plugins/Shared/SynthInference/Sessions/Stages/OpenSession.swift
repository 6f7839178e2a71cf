import CSynthONNXRuntime
import Glibc
import SynthGraphs
import SynthONNXRuntime

/// An ONNX Runtime session, which is released with this value. Threads may run it concurrently.
final class OpenSession: Sendable {
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    nonisolated(unsafe) let handle: OpaquePointer
    private let runtime: InferenceRuntime

    /// Takes ownership of the session.
    init(_ handle: OpaquePointer, _ runtime: InferenceRuntime) throws(InferenceError) {
        self.handle = handle
        self.runtime = runtime
        do {
            inputs = try Self.describe(runtime, handle, .inputs)
            outputs = try Self.describe(runtime, handle, .outputs)
        } catch {
            runtime.api.ReleaseSession(handle)
            throw error
        }
    }

    /// Opens an optimized graph without further optimization.
    convenience init(
        _ path: String, _ runtime: InferenceRuntime, threads: Int, spins: Bool = true
    ) throws(InferenceError) {
        let options = try SessionOptions.make(runtime, threads: threads, spins: spins)
        try options.useGraphAsItIs()
        try self.init(path, options, runtime)
    }

    /// Opens a model file with its external weights.
    convenience init(
        _ path: String, _ options: borrowing SessionOptions, _ runtime: InferenceRuntime
    ) throws(InferenceError) {
        var session: OpaquePointer?
        try runtime.check(runtime.api.CreateSession(runtime.environment, path, options.handle, &session), .model)
        try self.init(Self.made(session), runtime)
    }

    /// Opens a model in memory. The session keeps no reference to the bytes.
    convenience init(
        _ bytes: UnsafeRawBufferPointer, _ options: borrowing SessionOptions, _ runtime: InferenceRuntime
    ) throws(InferenceError) {
        var session: OpaquePointer?
        try runtime.check(
            runtime.api.CreateSessionFromArray(
                runtime.environment, bytes.baseAddress, bytes.count, options.handle, &session), .model)
        try self.init(Self.made(session), runtime)
    }

    deinit { runtime.api.ReleaseSession(handle) }

    private static func made(_ session: OpaquePointer?) throws(InferenceError) -> OpaquePointer {
        guard let session else { throw InferenceError(.model, "ONNX Runtime cannot create a session from the model") }
        return session
    }

    /// Runs the graph once. Returns a value for each output. The caller owns the values.
    func run(
        _ inputs: [(name: String, value: OpaquePointer?)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> [OpaquePointer] {
        let inputNames = CNames(inputs.map(\.name))
        let outputNames = CNames(outputs)
        // ONNX Runtime reads these names during the call.
        defer {
            withExtendedLifetime(inputNames) {}
            withExtendedLifetime(outputNames) {}
        }
        var results = [OpaquePointer?](repeating: nil, count: outputs.count)
        try runtime.check(
            runtime.api.Run(
                handle, run.options, inputNames.pointers, inputs.map(\.value), inputs.count, outputNames.pointers,
                outputs.count, &results), .run)
        if let missing = results.firstIndex(of: nil) {
            for result in results { runtime.api.ReleaseValue(result) }
            throw InferenceError(.run, "the model returns no \(outputs[missing])")
        }
        return results.compactMap(\.self)
    }

    /// Returns the custom metadata that the model's author stored under this key.
    func metadata(_ key: String) throws(InferenceError) -> String? {
        var metadata: OpaquePointer?
        try runtime.check(runtime.api.SessionGetModelMetadata(handle, &metadata), .model)
        defer { runtime.api.ReleaseModelMetadata(metadata) }
        var allocator: UnsafeMutablePointer<OrtAllocator>?
        try runtime.check(runtime.api.GetAllocatorWithDefaultOptions(&allocator), .library)
        var text: UnsafeMutablePointer<CChar>?
        try runtime.check(runtime.api.ModelMetadataLookupCustomMetadataMap(metadata, allocator, key, &text), .model)
        guard let text else { return nil }
        defer { allocator?.pointee.Free(allocator, text) }
        return String(cString: text)
    }

    private enum Side {
        case inputs, outputs
    }

    private static func describe(
        _ runtime: InferenceRuntime, _ session: OpaquePointer, _ side: Side
    ) throws(InferenceError) -> [TensorDescription] {
        let api = runtime.api
        var allocator: UnsafeMutablePointer<OrtAllocator>?
        try runtime.check(api.GetAllocatorWithDefaultOptions(&allocator), .library)
        var count = 0
        try runtime.check(
            side == .inputs ? api.SessionGetInputCount(session, &count) : api.SessionGetOutputCount(session, &count),
            .model)
        var descriptions: [TensorDescription] = []
        for index in 0..<count {
            var name: UnsafeMutablePointer<CChar>?
            var type: OpaquePointer?
            switch side {
            case .inputs:
                try runtime.check(api.SessionGetInputName(session, index, allocator, &name), .model)
                try runtime.check(api.SessionGetInputTypeInfo(session, index, &type), .model)
            case .outputs:
                try runtime.check(api.SessionGetOutputName(session, index, allocator, &name), .model)
                try runtime.check(api.SessionGetOutputTypeInfo(session, index, &type), .model)
            }
            defer {
                allocator?.pointee.Free(allocator, name)
                api.ReleaseTypeInfo(type)
            }
            descriptions.append(try describe(runtime, name.map { String(cString: $0) } ?? "", type))
        }
        return descriptions
    }

    private static func describe(
        _ runtime: InferenceRuntime, _ name: String, _ type: OpaquePointer?
    ) throws(InferenceError) -> TensorDescription {
        var description = TensorDescription(name: name, element: .other)
        // The pointer belongs to the type info. It is nil if the value is not a tensor.
        var info: OpaquePointer?
        try runtime.check(runtime.api.CastTypeInfoToTensorInfo(type, &info), .model)
        guard let info else { return description }
        var element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED
        try runtime.check(runtime.api.GetTensorElementType(info, &element), .model)
        description.element = TensorDescription.Element(element)
        return description
    }
}

/// Names as a C array of C strings. The array is valid while this value exists.
struct CNames: ~Copyable {
    let pointers: [UnsafePointer<CChar>?]

    init(_ names: [String]) {
        pointers = names.map { UnsafePointer(strdup($0)) }
    }

    deinit {
        for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) }
    }
}
