public import CSynthEngine

/// What the host hands to `synth_engine_entry`.
public typealias EngineHost = UnsafePointer<synth_host>

/// What `synth_engine_entry` returns.
public typealias EngineTable = UnsafePointer<synth_engine>

/// A speech engine. A shared object holds exactly one, and exports it so:
///
///     import CSynthEngine
///     import EngineKit
///
///     @c @implementation
///     public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
///         Beep.table(abi: abi, host: host)
///     }
///
/// Link EngineKit statically: the engine of a shared object is kept in one place of its own copy of EngineKit.
public protocol SpeechEngine: SendableMetatype {
    associatedtype Model: SpeechModel

    /// Read once, when the shared object is loaded. Must not open a file.
    static var description: EngineDescription { get }

    /// The voices that are known without the registry, in the order to show them. Asked once, when the host first
    /// lists them; should take a few milliseconds. An error is logged and stands for "none".
    static func voices() throws -> [SpeechVoice]

    /// Reads the weights. Several models may be loaded at once. Never runs beside another `load` or `open`.
    static func load(_ files: ModelFiles) throws -> Model
}

extension SpeechEngine {
    public static func voices() throws -> [SpeechVoice] { [] }

    /// The C table of this engine, until exit; `nil` when the host asks for another ABI, or when another engine of this
    /// shared object was asked before.
    public static func table(abi: UInt32, host: EngineHost?) -> EngineTable? {
        guard abi == UInt32(SYNTH_ABI) else { return nil }
        return Installation.install(Self.self, host: host)?.table.pointer
    }
}
