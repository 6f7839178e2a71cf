import CSynthEngine
import Synchronization

/// An object to which the host has a pointer. It stays alive until `release`.
protocol HandleObject: AnyObject {}

extension HandleObject {
    func handle() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    /// Returns the object for a pointer created by `handle`.
    static func of(_ pointer: OpaquePointer) -> Self {
        Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    static func release(_ pointer: OpaquePointer?) {
        if let pointer { Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release() }
    }
}

/// The object behind a model pointer.
final class LoadedModel<Lane>: HandleObject {
    let open: @Sendable () throws -> Lane

    init(_ open: @escaping @Sendable () throws -> Lane) { self.open = open }
}

/// The object behind a lane pointer. `lane` belongs to the thread that runs its request; any thread may cancel.
final class OpenLane<Lane>: HandleObject {
    var lane: Lane
    let cancellation = RequestCancellation()

    init(_ lane: Lane) { self.lane = lane }

    static func cancel(_ pointer: OpaquePointer?, _ serial: UInt64) {
        if let pointer { of(pointer).cancellation.cancel(serial) }
    }
}

/// Tracks which requests of a lane are cancelled. Any thread may cancel.
final class RequestCancellation: Sendable {
    private struct Interruption {
        let serial: UInt64
        let stop: @Sendable () -> Void
    }

    /// All requests up to this serial number are cancelled.
    private let cancelled = Atomic<UInt64>(0)
    private let interruption = Mutex<Interruption?>(nil)

    func cancel(_ serial: UInt64) {
        cancelled.max(serial, ordering: .acquiringAndReleasing)
        // Call `stop` while holding the lock; a later call could stop the next request instead.
        interruption.withLock { if let interruption = $0, interruption.serial <= serial { interruption.stop() } }
    }

    func isCancelled(_ serial: UInt64) -> Bool { cancelled.load(ordering: .acquiring) >= serial }

    /// Until `endInterruption` is called, cancelling this request calls `stop`. If the request is already cancelled, `stop` is called
    /// immediately.
    func beginInterruption(_ serial: UInt64, _ stop: @escaping @Sendable () -> Void) {
        interruption.withLock { $0 = Interruption(serial: serial, stop: stop) }
        if isCancelled(serial) { stop() }
    }

    func endInterruption() {
        interruption.withLock { $0 = nil }
    }
}

/// The state common to speech and recognition requests. Used only on the thread that runs the request.
class RunningRequest {
    private let serial: UInt64
    private let cancellation: RequestCancellation
    /// Whether the host requested a stop, after which no host function may be called.
    private var isStopped = false

    init(serial: UInt64, cancellation: RequestCancellation) {
        self.serial = serial
        self.cancellation = cancellation
    }

    /// Whether the request has been cancelled.
    final var isOver: Bool { isStopped || cancellation.isCancelled(serial) }

    /// Runs the plugin's code for the request. An error is not reported if the request has been cancelled.
    final func run(_ body: () throws -> Void) throws {
        guard !isOver else { throw Stopped() }
        do {
            try body()
        } catch {
            throw isOver ? Stopped() : error
        }
        if isOver { throw Stopped() }
    }

    final func interrupting<Result>(
        _ stop: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        cancellation.beginInterruption(serial, stop)
        defer { cancellation.endInterruption() }
        return try body()
    }

    /// Calls the host and throws if the request has been cancelled. A missing callback is treated as one that returns
    /// true.
    final func call(_ callback: () -> Bool?) throws {
        guard !isStopped else { throw Stopped() }
        guard !isOver, callback() != false else {
            isStopped = true
            throw Stopped()
        }
    }
}
