package import SynthEngineWire
import SynthSystem

/// An engine that speaks, with its worker processes. Any thread may use it.
package final class Engine: Sendable {
    package var file: String { workers.file }
    package let description: EngineDescription
    private let workers: WorkerPool
    private let limits: EngineLimits

    /// - Parameter allowed: the needs that its user allows it.
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

    /// Opens a lane on a model, and loads the model if needed. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - files: the voice's own, which its requests hand over; not needed for those of the folder of voices.
    ///   - isReplaceable: whether somebody listens, and another engine would take over: this one is given up sooner if it does
    ///     nothing.
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

    /// Reads /proc.
    package var figures: EngineFigures { workers.figures }
}
