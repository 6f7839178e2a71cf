import CSynthONNXRuntime
import Dispatch
import Synchronization
import SynthGraphRewriting
import SynthGraphs
import SynthONNXRuntime

/// A model's graph, or a part of it, ready to run as one session or as several consecutive sessions. Threads may run it
/// concurrently.
final class SessionStages: Sendable {
    /// The inputs of all stages.
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]

    private let stages: [OpenSession]
    /// For each stage, the outputs that later stages read.
    private let passedOn: [Set<String>]
    private let runtime: InferenceRuntime

    /// - Parameters:
    ///   - stages: At least one stage.
    ///   - outputs: The model's outputs in order; `nil` for all outputs of the stages.
    init(_ stages: [OpenSession], outputs names: [String]? = nil, _ runtime: InferenceRuntime) {
        self.stages = stages
        self.runtime = runtime
        var inputs: [TensorDescription] = []
        var outputs: [TensorDescription] = []
        var known: Set<String> = []
        for stage in stages {
            for input in stage.inputs where known.insert(input.name).inserted { inputs.append(input) }
            known.formUnion(stage.outputs.map(\.name))
            outputs += stage.outputs
        }
        self.inputs = inputs
        self.outputs = names.map { names in names.compactMap { name in outputs.first { $0.name == name } } } ?? outputs
        passedOn = stages.indices.map { number in
            let read = Set(stages.dropFirst(number + 1).flatMap(\.inputs).map(\.name))
            return read.intersection(stages[number].outputs.map(\.name))
        }
    }

    /// Opens a model's graphs in parallel, because opening one takes tens of milliseconds, and up to 100 ms on a slow
    /// machine.
    ///
    /// - Parameters:
    ///   - paths: One path per graph of `parts`.
    ///   - spins: See `SessionOptions`.
    /// - Returns: One value per part of the model.
    static func open(
        _ paths: [String], _ parts: ModelParts, _ runtime: InferenceRuntime, threads: Int, spins: Bool
    ) throws(InferenceError) -> [SessionStages] {
        let opened = Mutex([Int: Result<OpenSession, InferenceError>]())
        let open: @Sendable (Int) -> Void = { number in
            let session = Result { () throws(InferenceError) in
                try OpenSession(paths[number], runtime, threads: threads, spins: spins)
            }
            opened.withLock { $0[number] = session }
        }
        let opening = DispatchGroup()
        let late = paths.indices.dropFirst().filter { number in !WorkThread.start(in: opening) { open(number) } }
        for number in paths.indices.prefix(1) + late { open(number) }
        opening.wait()
        var sessions: [OpenSession] = []
        for (_, session) in opened.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            sessions.append(try session.get())
        }
        return parts.graphs.map { graphs in
            SessionStages(
                Array(sessions[graphs]), outputs: graphs.count > 1 ? parts.split.outputs : nil, runtime)
        }
    }

    /// Runs all stages. The caller owns the returned values.
    func run(
        _ inputs: [(name: String, value: OpaquePointer?)], outputs: [String], as run: InferenceRun
    ) throws(InferenceError) -> [OpaquePointer] {
        if stages.count == 1 { return try stages[0].run(inputs, outputs: outputs, as: run) }
        var given: [String: OpaquePointer] = [:]
        for input in inputs { given[input.name] = input.value }
        var made: [String: OpaquePointer] = [:]
        defer { for value in made.values { runtime.api.ReleaseValue(value) } }
        for (stage, passedOn) in zip(stages, passedOn) {
            let wanted = stage.outputs.map(\.name).filter { passedOn.contains($0) || outputs.contains($0) }
            if wanted.isEmpty { continue }
            var read: [(name: String, value: OpaquePointer?)] = []
            for input in stage.inputs {
                // If an input is missing, ONNX Runtime's error message includes its name.
                if let value = made[input.name] ?? given[input.name] { read.append((input.name, value)) }
            }
            for (name, value) in zip(wanted, try stage.run(read, outputs: wanted, as: run)) { made[name] = value }
        }
        var results: [OpaquePointer] = []
        for name in outputs {
            guard let value = made.removeValue(forKey: name) else {
                for result in results { runtime.api.ReleaseValue(result) }
                throw InferenceError(.run, "the model returns no \(name)")
            }
            results.append(value)
        }
        return results
    }

    /// Returns the custom metadata that the model's author stored under this key.
    func metadata(_ key: String) throws(InferenceError) -> String? { try stages[0].metadata(key) }
}
