package import SynthEngineWire
import SynthSystem

/// A speech engine with its worker processes. Thread-safe.
package final class Engine: Sendable {
    package var file: String { workers.file }
    package let description: EngineDescription
    private let workers: WorkerPool
    private let limits: EngineLimits

    /// - Parameter allowed: the permissions that the user grants the engine.
    package init(
        file: String, description: EngineDescription, program: WorkerProgram, limits: EngineLimits = EngineLimits(),
        allowing allowed: [EngineNeed.Kind] = [], onLog: @escaping EngineLog = { _, _ in }
    ) {
        self.description = description
        self.limits = limits
        workers = WorkerPool(
            of: description.id, file: file,
            asking: WorkerRequest(
                variables: description.variables, needs: description.needs, allowed: allowed, to: file),
            lanes: description.maxLanes, program: program, limits: limits, onLog: onLog)
    }

    /// Opens a lane for a model, loading the model if necessary. Blocks until the lane is open.
    ///
    /// - Parameters:
    ///   - files: the voice's own files, which its requests pass to the engine. Files in the voices folder need not be included.
    ///   - isReplaceable: whether a listener is waiting and another engine can take over, in which case the timeout for an idle engine is
    ///     shorter.
    package func openLane(
        on load: LoadRequest, handing files: [HandedFile] = [], whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> EngineLane {
        try workers.openLane(on: load, handing: files, whileReplaceable: isReplaceable) {
            opening throws(EngineFailure) in
            try EngineLane(opening, limits: limits)
        }
    }

    /// Stops the workers immediately. Current and later calls to `openLane` and `speak` throw. Never blocks.
    package func abandon() { workers.abandon() }

    /// The current resource usage. Reads /proc.
    package var figures: EngineFigures { workers.figures }
}
