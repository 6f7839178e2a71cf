package import SynthEngineWire
import SynthSystem

/// A speech engine with its worker processes. Any thread may use it.
package final class Engine: Sendable {
    package var file: String { workers.file }
    package let description: EngineDescription
    private let workers: WorkerPool
    private let limits: EngineLimits

    /// - Parameter allowed: the needs that the user allows the engine.
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

    /// Opens a lane on a model, and loads the model if needed. Blocks until then.
    ///
    /// - Parameters:
    ///   - files: the voice's own files, which its requests pass to the engine; not needed for files in the voices
    ///     folder.
    ///   - isReplaceable: whether a listener is waiting and another engine could take over. If so, the timeout for an
    ///     idle engine is shorter.
    package func openLane(
        on load: LoadRequest, handing files: [HandedFile] = [], whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> EngineLane {
        try workers.openLane(on: load, handing: files, whileReplaceable: isReplaceable) {
            opening throws(EngineFailure) in
            try EngineLane(opening, limits: limits)
        }
    }

    /// Ends the workers at once. Running and later calls of `openLane` and `speak` throw. Never blocks.
    package func abandon() { workers.abandon() }

    /// The current resource use. Reads /proc.
    package var figures: EngineFigures { workers.figures }
}
