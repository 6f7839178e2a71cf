import CSynthEngine
import EngineChecks
import EngineLoading

struct LoadedModel {
    private let table: EngineTable
    private let pointer: OpaquePointer?

    init(_ table: EngineTable, _ pointer: OpaquePointer?) {
        self.table = table
        self.pointer = pointer
    }

    func open() throws(CheckFinding) -> OpenLane {
        let error = ErrorProbe()
        var lane: OpaquePointer?
        let status = table.open(pointer, &lane, error.pointer)
        guard status == SYNTH_OK else { throw .failed("It opens no lane: \(error.words(status)).") }
        return OpenLane(table, lane)
    }

    func unload() { table.unload(pointer) }
}
