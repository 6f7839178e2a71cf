public import CSynthEngine
import Synchronization

/// What the host hands to `synth_engine_entry` and `synth_recognizer_entry`.
public typealias EngineHost = UnsafePointer<synth_host>

/// Writes lines to the host's log. May be called from any thread. Lines before the host has loaded the engine are lost.
public enum EngineLog {
    /// The host of a plugin that is an engine and a recognizer is the same for both, so the first that comes is kept.
    private static let host = Mutex<PermanentCopy<synth_host>?>(nil)

    static func use(_ host: EngineHost?) {
        guard let host else { return }
        Self.host.withLock { if $0 == nil { $0 = PermanentCopy(host) } }
    }

    public static func debug(_ line: String) { write(SYNTH_DEBUG, line) }
    /// What somebody should know who looks after the engine. While a model is loaded, the host keeps it as what the engine
    /// says about that model.
    public static func info(_ line: String) { write(SYNTH_INFO, line) }
    /// What the user should know.
    public static func warning(_ line: String) { write(SYNTH_WARNING, line) }

    private static func write(_ severity: synth_severity, _ line: String) {
        guard let host = host.withLock({ $0 }), let log = synth_host_known(host.pointer).log else { return }
        log(severity, String(line.map { $0.isNewline ? " " : $0 }))
    }
}
