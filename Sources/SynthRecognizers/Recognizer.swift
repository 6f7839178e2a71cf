package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

/// A recognizer of speech, with its worker processes. Any thread may use it.
package final class Recognizer: Sendable {
    package var file: String { workers.file }
    package let description: RecognizerDescription
    private let workers: WorkerPool
    private let limits: EngineLimits

    /// - Parameter allowed: the needs that its user allows it.
    package init(
        file: String, description: RecognizerDescription, program: WorkerProgram, limits: EngineLimits = EngineLimits(),
        allowing allowed: [EngineNeed.Kind] = [], onLog: @escaping EngineLog = { _, _ in }
    ) {
        self.description = description
        self.limits = limits
        workers = WorkerPool(
            of: description.id, file: file, as: .recognizer,
            asking: WorkerRequest(
                variables: description.variables, needs: description.needs, allowed: allowed, to: file),
            lanes: description.maxLanes, program: program, limits: limits, onLog: onLog)
    }

    /// Opens a lane on a model, and loads the model if needed. Blocks meanwhile.
    package func openLane(on load: LoadRequest) throws(EngineFailure) -> RecognizerLane {
        try workers.openLane(on: load, whileReplaceable: { false }) { opening throws(EngineFailure) in
            try RecognizerLane(opening, limits: limits)
        }
    }

    /// Ends the workers at once. Running and later calls of `openLane` and `listen` throw. Never blocks.
    package func abandon() { workers.abandon() }

    /// Reads /proc.
    package var figures: EngineFigures { workers.figures }
}
