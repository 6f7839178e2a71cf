import CSynthEngine
import EngineLoading
import EngineWire

/// One caller that speaks. `cancel` may be called from any thread while the lane is open, all else from one at a time.
struct OpenLane: Sendable {
    private let table: EngineTable
    private let address: Int

    init(_ table: EngineTable, _ pointer: OpaquePointer?) {
        self.table = table
        address = Int(bitPattern: pointer)
    }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

    var canCancel: Bool { table.cancel != nil }

    /// Speaks into `sink`, and returns when the engine returns.
    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink, _ error: borrowing ErrorProbe) -> synth_status {
        let arena = CallArena()
        return withExtendedLifetime((arena, sink)) {
            var handed = sink.table
            return synthesize(arena.request(request), &handed, error)
        }
    }

    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink) -> synth_status {
        let error = ErrorProbe()
        return speak(request, to: sink, error)
    }

    /// The same with structs that the caller made.
    func synthesize(
        _ request: UnsafePointer<synth_request>?, _ sink: UnsafePointer<synth_sink>?, _ error: borrowing ErrorProbe
    ) -> synth_status {
        table.synthesize(pointer, request, sink, error.pointer)
    }

    func cancel(_ serial: UInt64) { table.cancel?(pointer, serial) }

    func close() { table.close(pointer) }
}
