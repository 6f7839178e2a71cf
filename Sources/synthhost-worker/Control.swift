import CSynthEngine
import EngineLoading
import EngineWire
import System

/// The worker's end of the control socket. It is global because the engine's `log` function has no context argument.
enum Control {
    static let descriptor: Int32 = 3
    static let socket = FrameSocket(Descriptor(owning: descriptor))

    /// Sends a reply to the host. If the host is gone, or the engine closed the socket, the process ends.
    static func reply(_ reply: ControlReply) {
        do {
            try socket.send(reply.frameBytes)
        } catch {
            WorkerExit.leave(because: error)
        }
    }

    /// Sends a log line. It is dropped if the host is too slow, because a log must never block an engine.
    static func log(_ severity: synth_severity, _ line: UnsafePointer<CChar>?) {
        let severity = LogSeverity(rawValue: UInt8(truncatingIfNeeded: severity.rawValue)) ?? .info
        try? socket.send(ControlReply.log(severity, known(line) ?? "").frameBytes, wait: false)
    }
}
