public import CSynthEngine

/// The result of `synth_engine_entry`.
public typealias EngineTable = UnsafePointer<synth_engine>

/// A speech engine. A shared object contains at most one, and exports it like this:
///
///     import CSynthEngine
///     import EngineKit
///
///     @c @implementation
///     public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
///         Beep.table(abi: abi, host: host)
///     }
///
/// Link EngineKit statically: each engine needs its own copy of EngineKit, which stores that engine.
public protocol EnginePlugin: SendableMetatype {
    associatedtype Model: SpeechModel

    /// The engine's description. Read once, when the shared object is loaded. Must not open a file.
    static var description: EngineDescription { get }

    /// The voices that are known without the registry, in display order. Called once, when the host first lists them;
    /// it should take only a few milliseconds. If it throws, the error is logged and the engine has no voices.
    static func voices() throws -> [EngineVoice]

    /// Loads the weights. Several models may be loaded. Never runs at the same time as another `load` or `open`.
    static func load(_ files: ModelFiles) throws -> Model
}

extension EnginePlugin {
    /// The default: no declared voices.
    public static func voices() throws -> [EngineVoice] { [] }
}

/// Loaded weights, which are shared by the lanes of the model.
public protocol SpeechModel: Sendable {
    associatedtype Lane: SpeechLane

    /// Opens a lane. Should be cheap. Other lanes of this model may be speaking at the same time.
    func open() throws -> Lane
}

/// A lane, which speaks one request at a time; the lanes of a model run in parallel.
public protocol SpeechLane {
    /// Speaks one utterance: calls `begin`, writes events and audio, and returns after the last frame. If there is
    /// nothing to speak, it writes nothing.
    ///
    /// If the request has been cancelled, the functions of `output` throw `Stopped`: do not catch it. The user sees the
    /// message of an `EngineError`, or the description of any other error.
    mutating func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws
}
