package import CSynthONNXRuntime
package import SynthGraphs

/// This process's instance of ONNX Runtime: its function table and its environment.
///
/// The environment is created on first use, which takes about 15 ms. ONNX Runtime is never unloaded, because its threads
/// and exit handlers would then crash.
package final class InferenceRuntime: Sendable {
    package let api: OrtApi
    /// The version of the loaded library, such as "1.31.1". It may be newer than the header.
    package let version: String
    package nonisolated(unsafe) let environment: OpaquePointer

    private static let started = Result { () throws(InferenceError) in try InferenceRuntime() }

    package static var shared: InferenceRuntime {
        get throws(InferenceError) { try started.get() }
    }

    private init() throws(InferenceError) {
        guard let base = OrtGetApiBase(), let version = base.pointee.GetVersionString() else {
            throw InferenceError(.library, "ONNX Runtime cannot be initialized")
        }
        self.version = String(cString: version)
        guard let api = base.pointee.GetApi(UInt32(ORT_API_VERSION)) else {
            throw InferenceError(
                .library,
                "ONNX Runtime \(self.version) does not support API version \(ORT_API_VERSION), which this engine was built with"
            )
        }
        self.api = api.pointee
        var environment: OpaquePointer?
        // Errors are returned as values, so ONNX Runtime need not write anything to the worker's log.
        let failure = self.api.CreateEnv(ORT_LOGGING_LEVEL_FATAL, "synthhost", &environment)
        guard failure == nil, let environment else {
            throw InferenceError(.library, "ONNX Runtime \(self.version) cannot be initialized")
        }
        self.environment = environment
        _ = self.api.DisableTelemetryEvents(environment)
        try shareMemory()
    }

    /// Makes all sessions share one allocator so that no session retains memory that another could use.
    private func shareMemory() throws(InferenceError) {
        var memory: OpaquePointer?
        try check(api.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory), .library)
        defer { api.ReleaseMemoryInfo(memory) }
        try check(api.CreateAndRegisterAllocator(environment, memory, nil), .library)
    }

    /// Releases the status of an ONNX Runtime call and throws if the status is an error.
    package func check(_ status: OpaquePointer?, _ reason: InferenceError.Reason) throws(InferenceError) {
        try api.check(status, reason)
    }
}

extension OrtApi {
    /// Releases the status of a call and throws if the status is an error.
    func check(_ status: OpaquePointer?, _ reason: InferenceError.Reason) throws(InferenceError) {
        guard let status else { return }
        defer { ReleaseStatus(status) }
        let message = GetErrorMessage(status).map { String(cString: $0) } ?? "unknown error"
        throw InferenceError(reason, message)
    }
}
