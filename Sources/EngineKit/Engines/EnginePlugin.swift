public import CSynthEngine

/// The return type of `synth_engine_entry`.
public typealias EngineTable = UnsafePointer<synth_engine>

/// A speech engine. A shared object contains at most one engine and exports it like this:
///
///     import CSynthEngine
///     import EngineKit
///
///     @c @implementation
///     public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
///         Beep.table(abi: abi, host: host)
///     }
///
/// Link EngineKit statically: its global state contains the engine, so each engine needs its own copy.
public protocol EnginePlugin: SendableMetatype {
    associatedtype Model: SpeechModel

    /// The engine's description. Read once, when the shared object is loaded. Must not open files.
    static var description: EngineDescription { get }

    /// Returns the voices that the engine itself declares, in display order. Called once, when the host first lists
    /// them. It should take only a few milliseconds. If it throws, the error is logged and the engine has no voices.
    static func voices() throws -> [EngineVoice]

    /// Loads a model. Several models may be loaded at once. Calls to `load` and `open` never overlap.
    static func load(_ files: ModelFiles) throws -> Model
}

extension EnginePlugin {
    /// Declares no voices by default.
    public static func voices() throws -> [EngineVoice] { [] }
}

/// A loaded model, shared by its lanes.
public protocol SpeechModel: Sendable {
    associatedtype Lane: SpeechLane

    /// Opens a lane. This should be cheap. Other lanes of this model may be in use at the same time.
    func open() throws -> Lane
}

/// A lane, which processes one request at a time; the lanes of a model run in parallel.
public protocol SpeechLane {
    /// Synthesizes one utterance: calls `begin`, writes events and audio, and returns after the last frame. If there is nothing to
    /// speak, it writes nothing.
    ///
    /// If the request has been cancelled, the functions of `output` throw `Stopped`. Do not catch this error. If
    /// `speak` throws an `EngineError`, the user sees the error's message; for any other error, the user sees its
    /// description.
    mutating func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws
}
