public import CSynthEngine
import Synchronization

/// The type of the argument to `synth_engine_entry` and `synth_recognizer_entry`.
public typealias EngineHost = UnsafePointer<synth_host>

/// Writes lines to the host's log. May be called from any thread. Lines written before the engine is loaded are lost.
public enum EngineLog {
    /// A plugin that is both an engine and a recognizer gets the same host for both, so one copy is sufficient.
    private static let host = Mutex<PermanentCopy<synth_host>?>(nil)

    static func use(_ host: EngineHost?) {
        guard let host else { return }
        Self.host.withLock { if $0 == nil { $0 = PermanentCopy(host) } }
    }

    /// Logs information for engine developers.
    public static func debug(_ line: String) { write(SYNTH_DEBUG, line) }
    /// Logs information for administrators. Lines written while a model is being loaded are stored as the engine's notes about that
    /// model.
    public static func info(_ line: String) { write(SYNTH_INFO, line) }
    /// Logs a warning for the user.
    public static func warning(_ line: String) { write(SYNTH_WARNING, line) }

    private static func write(_ severity: synth_severity, _ line: String) {
        guard let host = host.withLock({ $0 }), let log = synth_host_known(host.pointer).log else { return }
        log(severity, String(line.map { $0.isNewline ? " " : $0 }))
    }
}
