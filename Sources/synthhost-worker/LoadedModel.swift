import System

/// A model of the engine, with the number of lanes that are open on it. Any thread may use it.
final class LoadedModel: @unchecked Sendable {
    /// Only handed to the engine, which says when.
    let pointer: OpaquePointer
    private let lanes = Monitor(0)

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    func laneOpens() { lanes.update { $0 += 1 } }
    func laneHasClosed() { lanes.update { $0 -= 1 } }

    /// Waits until no lane is open.
    func waitUntilUnused() { lanes.wait { $0 == 0 ? () : nil } }
}
