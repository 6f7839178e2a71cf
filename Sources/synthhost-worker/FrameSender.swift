import EngineWire
import Glibc
import System

/// Sends the frames of a lane. It blocks while the listener is too slow, and a cancel wakes it.
final class FrameSender {
    private let socket: FrameSocket
    private let wakeUp: WakeUp
    private let cancelled: () -> UInt64

    init(socket: FrameSocket, wakeUp: WakeUp, cancelled: @escaping () -> UInt64) {
        self.socket = socket
        self.wakeUp = wakeUp
        self.cancelled = cancelled
    }

    func isCancelled(_ serial: UInt64) -> Bool { cancelled() >= serial }

    private func waitForRoom() -> Bool {
        let ready = try? Poll.wait([
            (socket.descriptor.raw, events: POLLOUT), (wakeUp.descriptor.raw, events: POLLIN),
        ])
        guard let ready else { return false }
        // A late cancel of an earlier request also wakes this one. A cancel stores its serial before it wakes.
        if ready[1] != 0 { wakeUp.clear() }
        return true
    }

    /// Sends the frame; false if the request is cancelled (nothing of the frame is sent) or the listener is gone.
    func send(_ frame: [UInt8], serial: UInt64) -> Bool {
        while !isCancelled(serial) {
            do {
                try socket.send(frame, wait: false)
                return true
            } catch {
                guard error.code == EAGAIN, waitForRoom() else { return false }
            }
        }
        return false
    }
}
