package import SynthEngineWire

/// The properties of a plugin's description that its worker processes need.
package protocol PluginDescription: Frame, Equatable {
    static var kind: PluginKind { get }
    var id: String { get }
    var maxLanes: UInt32 { get }
    var variables: [String] { get }
    var needs: [EngineNeed] { get }
}

extension EngineDescription: PluginDescription {
    package static var kind: PluginKind { .engine }
}

extension RecognizerDescription: PluginDescription {
    package static var kind: PluginKind { .recognizer }
}

/// A speech engine with its worker processes. Thread-safe.
package typealias Engine = WorkerPool<EngineDescription>

/// A speech recognizer with its worker processes. Thread-safe.
package typealias Recognizer = WorkerPool<RecognizerDescription>

extension Engine {
    /// Opens a lane for a model, loading the model if necessary. Blocks until the lane is open.
    ///
    /// - Parameters:
    ///   - files: the voice's own files, which its requests pass to the engine. Files in the voices folder need not be included.
    ///   - isReplaceable: whether a listener is waiting and another engine can take over, in which case the timeout for an idle engine is
    ///     shorter.
    package func openLane(
        on load: LoadRequest, handing files: [HandedFile] = [], whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> EngineLane {
        try openLane(on: load, handing: files, whileReplaceable: isReplaceable) { opening throws(EngineFailure) in
            try EngineLane(opening)
        }
    }
}

extension Recognizer {
    /// Opens a lane for a model, loading the model if necessary. Blocks until the lane is open.
    package func openLane(on load: LoadRequest) throws(EngineFailure) -> RecognizerLane {
        try openLane(on: load, handing: [], whileReplaceable: { false }) { opening throws(EngineFailure) in
            try RecognizerLane(opening)
        }
    }
}
