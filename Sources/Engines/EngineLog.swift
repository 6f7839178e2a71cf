package import EngineWire

/// Receives the log of an engine, one line at a time, on any thread.
package typealias EngineLog = @Sendable (LogSeverity, String) -> Void
