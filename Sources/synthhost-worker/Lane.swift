import CSynthEngine
import EngineLoading
import EngineWire
import Glibc
import Synchronization
import System

/// One caller that speaks, on a thread of its own.
final class Lane: @unchecked Sendable {
    private let table: LoadedTable
    /// Used by one call of the engine at a time, and by `cancel` only under the lock `open`.
    private let pointer: OpaquePointer?
    private let socket: FrameSocket
    private let wakeUp: WakeUp
    private let cancelled = Atomic<UInt64>(0)
    private let open = Mutex(true)

    init?(table: LoadedTable, pointer: OpaquePointer?, socket: FrameSocket) {
        guard let wakeUp = try? WakeUp() else { return nil }
        self.table = table
        self.pointer = pointer
        self.socket = socket
        self.wakeUp = wakeUp
    }

    /// Called by the control thread. From now on the sink returns false for this request. Does not wait.
    func stop(_ serial: UInt64) {
        cancelled.max(serial, ordering: .acquiringAndReleasing)
        wakeUp.signal()
    }

    /// Calls the engine's `cancel`, even if no request runs: the engine stores the serial and compares. Waits until it
    /// returns.
    func cancelInEngine(_ serial: UInt64) {
        open.withLock { isOpen in
            if isOpen { table.cancel?(pointer, serial) }
        }
    }

    /// Speaks requests until the host closes its end of the lane.
    func run() {
        do {
            while let (bytes, _) = try socket.receive() {
                try socket.send(speak(try LaneRequest(frameBytes: bytes[...])).frameBytes)
            }
        } catch {
            let isClosed = (error as? Errno).map { $0.code == EPIPE || $0.code == ECONNRESET } ?? false
            if !isClosed { WorkerExit.leaveDamaged() }
        }
    }

    func close() {
        open.withLock { $0 = false }
        table.close(pointer)
    }

    private func speak(_ request: LaneRequest) -> LaneReply {
        wakeUp.clear()
        let sink = Sink(
            request: request,
            sender: FrameSender(
                socket: socket, wakeUp: wakeUp, cancelled: { [self] in cancelled.load(ordering: .acquiring) }))
        guard !sink.isCancelled else { return .end(serial: request.serial, frameCount: 0, .cancelled) }
        let arena = CallArena()
        let error = ErrorBuffer()
        let status = withExtendedLifetime(sink) {
            var handed = sink.table
            return table.synthesize(pointer, arena.request(request), &handed, error.pointer)
        }
        let outcome: LaneReply.Outcome =
            if let violation = sink.violation {
                .failed(EngineError(.violatedContract, violation))
            } else if status == SYNTH_OK {
                .spoken
            } else if status == SYNTH_CANCELLED {
                sink.saidStop
                    ? .cancelled : .failed(EngineError(.violatedContract, "It stopped although nobody asked it to."))
            } else {
                .failed(error.answer(to: status))
            }
        return .end(serial: request.serial, frameCount: sink.frameCount, outcome)
    }
}

extension ErrorBuffer {
    /// What the host is told of a call that failed.
    borrowing func answer(to status: synth_status) -> EngineError {
        error(of: status)
            ?? EngineError(.violatedContract, "It returned the status \(status.rawValue), which does not exist.")
    }
}
