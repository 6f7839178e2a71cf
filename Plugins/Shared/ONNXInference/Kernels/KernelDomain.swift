import CONNXRuntime

/// Operators of our own, which the library runs beside its own ones in rewritten models.
///
/// Like the library itself it lives until exit.
struct KernelDomain: @unchecked Sendable {
    static let name = "synthhost"

    private let handle: OpaquePointer
    /// The library keeps their addresses. Nothing changes them.
    private let operators: UnsafeMutableBufferPointer<OrtCustomOp>

    init(_ api: OrtApi) throws(InferenceError) {
        var handle: OpaquePointer?
        let operators = UnsafeMutableBufferPointer<OrtCustomOp>.allocate(capacity: 2)
        _ = operators.initialize(from: [NormSine.description, BlockedConvolution.description])
        guard api.CreateCustomOpDomain(Self.name, &handle) == nil, let handle,
            operators.indices.allSatisfy({
                api.CustomOpDomain_Add(handle, operators.baseAddress?.advanced(by: $0)) == nil
            })
        else {
            if let handle { api.ReleaseCustomOpDomain(handle) }
            operators.deallocate()
            throw InferenceError(.library, "ONNX Runtime takes no operators")
        }
        self.handle = handle
        self.operators = operators
    }

    /// Lets a session use them.
    func add(to options: OpaquePointer, _ runtime: InferenceRuntime) throws(InferenceError) {
        try runtime.check(runtime.api.AddCustomOpDomain(options, handle), .library)
    }
}
