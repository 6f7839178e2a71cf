import CSynthONNXRuntime
import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// The custom operators that rewritten models use in addition to ONNX Runtime's own operators.
///
/// Like ONNX Runtime itself, the domain exists until the process exits.
struct KernelDomain: @unchecked Sendable {
    private let handle: OpaquePointer
    /// ONNX Runtime stores pointers to these elements, so their addresses must not change.
    private let operators: UnsafeMutableBufferPointer<OrtCustomOp>

    private static let made = Result { () throws(InferenceError) in try KernelDomain(InferenceRuntime.shared.api) }
    /// ONNX Runtime registers the domain with the first session that uses it. Two sessions must not do so concurrently.
    private static let noted = Result { () throws(InferenceError) in
        let runtime = try InferenceRuntime.shared
        let probe = ProbeModel.bytes(NormSine.node(["input", "scale", "bias"], "output"))
        _ = try InferenceSession(bytes: probe, runtime)
        return runtime
    }

    /// ONNX Runtime, after the operators have been registered.
    static var runtime: InferenceRuntime {
        get throws(InferenceError) { try noted.get() }
    }

    private init(_ api: OrtApi) throws(InferenceError) {
        var handle: OpaquePointer?
        let operators = UnsafeMutableBufferPointer<OrtCustomOp>.allocate(capacity: 4)
        _ = operators.initialize(
            from: [
                NormSine.description, BlockedConvolution.description, StreamJoin.description, NarrowProduct.description,
            ])
        guard api.CreateCustomOpDomain(GraphNode.ownDomain, &handle) == nil, let handle,
            operators.indices.allSatisfy({
                api.CustomOpDomain_Add(handle, operators.baseAddress?.advanced(by: $0)) == nil
            })
        else {
            if let handle { api.ReleaseCustomOpDomain(handle) }
            operators.deallocate()
            throw InferenceError(.library, "ONNX Runtime rejects custom operators")
        }
        self.handle = handle
        self.operators = operators
    }

    /// Makes the operators available to a session.
    static func add(to options: OpaquePointer, _ runtime: InferenceRuntime) throws(InferenceError) {
        try runtime.check(runtime.api.AddCustomOpDomain(options, made.get().handle), .library)
    }
}
