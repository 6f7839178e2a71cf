import CSynthEngine
import Synchronization

/// A model, unloaded when this object is deallocated. Its lanes keep it alive.
package final class LoadedModel {
    private let isUnloaded = Atomic(false)
    let table: UnsafePointer<synth_engine>
    let pointer: OpaquePointer

    init(
        table: UnsafePointer<synth_engine>, name: String, files: [String: String], threads: UInt32,
        cacheDirectory: String?
    ) throws {
        self.table = table
        let arena = CArena()
        var load = arena.load(name, files: files, threads: threads, cacheDirectory: cacheDirectory)
        var model: OpaquePointer?
        let report = ErrorReport()
        let status = withExtendedLifetime(arena) { table.pointee.load(&load, &model, report.pointer) }
        guard status == SYNTH_OK, let model else { throw report.failure(status) }
        pointer = model
    }

    deinit { unload() }

    package func open() throws -> LoadedLane {
        var lane: OpaquePointer?
        let report = ErrorReport()
        let status = table.pointee.open(pointer, &lane, report.pointer)
        guard status == SYNTH_OK, let lane else { throw report.failure(status) }
        return LoadedLane(model: self, pointer: lane)
    }

    package func unload() {
        if !isUnloaded.exchange(true, ordering: .relaxed) { table.pointee.unload(pointer) }
    }
}
