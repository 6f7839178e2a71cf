package import EngineWire

/// Takes what an engine logs, a line at a time, on any thread.
package typealias EngineLog = @Sendable (LogSeverity, String) -> Void
