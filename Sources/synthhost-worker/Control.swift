import CSynthEngine
import EngineLoading
import EngineWire
import System

/// The worker's end of the control socket. It is the same for the whole life of the process, and the engine's `log`
/// function, which carries no context, has to find it too.
enum Control {
    static let descriptor: Int32 = 3
    static let socket = FrameSocket(Descriptor(owning: descriptor))

    /// Says it to the host. Where that is gone, or the engine closed the socket, the process ends.
    static func reply(_ reply: ControlReply) {
        do {
            try socket.send(reply.frameBytes)
        } catch {
            Departure.leave(because: error)
        }
    }

    /// Like `reply`, but dropped where the host does not keep up: a log must never stop an engine.
    static func log(_ severity: synth_severity, _ line: UnsafePointer<CChar>?) {
        let severity = LogSeverity(rawValue: UInt8(truncatingIfNeeded: severity.rawValue)) ?? .info
        try? socket.send(ControlReply.log(severity, known(line) ?? "").frameBytes, wait: false)
    }
}
