import CSynthEngine

/// Writes lines to the host's log. May be called from any thread. Lines before the host has loaded the engine are lost.
public enum EngineLog {
    public static func debug(_ line: String) { write(SYNTH_DEBUG, line) }
    /// What somebody should know who looks after the engine. While a model is loaded, the host keeps it as what the engine
    /// says about that model.
    public static func info(_ line: String) { write(SYNTH_INFO, line) }
    /// What the user should know.
    public static func warning(_ line: String) { write(SYNTH_WARNING, line) }

    private static func write(_ severity: synth_severity, _ line: String) {
        guard let host = Installation.current?.host, let log = known(host.pointer).log else { return }
        log(severity, String(line.map { $0.isNewline ? " " : $0 }))
    }
}
