import CONNXRuntime

/// What is wrong with a node or a run, as the library takes it.
struct KernelFailure: Error {
    nonisolated(unsafe) let status: OpaquePointer?

    /// What the library itself said.
    init(status: OpaquePointer) { self.status = status }

    init(_ api: OrtApi, _ message: String) { status = api.CreateStatus(ORT_INVALID_ARGUMENT, message) }
}
