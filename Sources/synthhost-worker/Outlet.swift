import EngineWire
import Glibc
import Synchronization
import System

/// The way out of a lane. It blocks while the listener is behind, and a cancel wakes it.
final class Outlet {
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
        // A late cancel of an earlier request wakes this one, too. Who cancels stores the serial before it wakes.
        if ready[1] != 0 { wakeUp.clear() }
        return true
    }

    /// Sends the frame; false where the request is cancelled (the frame is dropped whole) or the listener is gone.
    func send(_ frame: [UInt8], serial: UInt64) -> Bool {
        while !isCancelled(serial) {
            do throws(Errno) {
                try socket.send(frame, wait: false)
                return true
            } catch {
                guard error.code == EAGAIN, waitForRoom() else { return false }
            }
        }
        return false
    }
}
