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

    static func release(_ pointer: OpaquePointer) {
        Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
}

/// The object behind a model pointer.
final class LoadedModel<Model>: HandleObject {
    let model: Model

    init(_ model: Model) { self.model = model }
}

/// The object behind a lane pointer. `lane` belongs to the thread that runs its request; any thread may cancel.
final class OpenLane<Lane>: HandleObject {
    var lane: Lane
    let cancellation = RequestCancellation()

    init(_ lane: Lane) { self.lane = lane }
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
        // Call `stop` while holding the lock, because a later call could stop the next request.
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
