import CSynthEngine
import Glibc
import Synchronization
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// Handles the requests on a lane, one at a time, on the lane's own thread.
final class Lane: @unchecked Sendable {
    private let plugin: LoadedPlugin
    /// Used by one engine call at a time, apart from `cancel`, which uses it only while `open` is locked.
    let pointer: OpaquePointer?
    let socket: FrameSocket
    /// Signaled by a cancellation.
    let wakeUp: WakeUp
    private let cancelled = Atomic<UInt64>(0)
    private let open = Mutex(true)

    init?(_ plugin: LoadedPlugin, pointer: OpaquePointer?, socket: FrameSocket) {
        guard let wakeUp = try? WakeUp() else { return nil }
        self.plugin = plugin
        self.pointer = pointer
        self.socket = socket
        self.wakeUp = wakeUp
    }

    /// Makes the sink return false for this request. Called by the control thread. Does not block.
    func stop(_ serial: UInt64) {
        cancelled.max(serial, ordering: .acquiringAndReleasing)
        wakeUp.signal()
    }

    /// Calls the engine's `cancel` and blocks until it returns. `cancel` is called even if no request is running,
    /// because the engine stores the serial number and compares it with the serial numbers of later requests.
    func cancelInEngine(_ serial: UInt64) {
        open.withLock { isOpen in
            if isOpen { plugin.functions.cancel?(pointer, serial) }
        }
    }

    /// The highest cancelled serial number. Earlier requests are cancelled too.
    var cancelledSerial: UInt64 { cancelled.load(ordering: .acquiring) }

    /// Processes requests until the host closes its end of the lane.
    func run() {
        do {
            while let (bytes, _) = try socket.receive() { try plugin.answer(bytes, on: self) }
        } catch {
            let isClosed = (error as? Errno).map { $0.code == EPIPE || $0.code == ECONNRESET } ?? false
            if !isClosed { WorkerEnding.leaveDamaged() }
        }
    }

    func close() {
        open.withLock { $0 = false }
        plugin.functions.close(pointer)
    }
}

extension ErrorBuffer {
    /// Returns the outcome of a request, as reported to the host.
    ///
    /// - Parameters:
    ///   - violation: how the plugin violated its contract, or nil.
    ///   - saidStop: whether the plugin was told to stop.
    borrowing func outcome(of status: synth_status, violation: String?, saidStop: Bool) -> RequestOutcome {
        if let violation { return .failed(EngineError(.violatedContract, violation)) }
        switch status {
        case SYNTH_OK: return .done
        case SYNTH_CANCELLED where saidStop: return .cancelled
        case SYNTH_CANCELLED:
            return .failed(EngineError(.violatedContract, "It stopped without a request to stop."))
        default: return .failed(answer(to: status))
        }
    }

    /// Returns the error to report for a failed call.
    borrowing func answer(to status: synth_status) -> EngineError {
        error(of: status)
            ?? EngineError(.violatedContract, "It returned the unknown status \(status.rawValue).")
    }
}
