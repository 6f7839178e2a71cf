import CSynthEngine
import Glibc
import Synchronization

/// A model that is unloaded when this value is freed. Its lanes keep it alive.
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
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        load.model = arena.string(name)
        load.threads = threads
        load.cache_directory = cacheDirectory.flatMap { Self.string($0) }
        (load.files, load.file_count) = arena.files(files)
        var model: OpaquePointer?
        let report = ErrorReport()
        let status = table.pointee.load(&load, &model, report.pointer)
        guard status == SYNTH_OK, let model else { throw report.failure(status) }
        pointer = model
    }

    /// An engine may keep the name of its cache until exit.
    private static func string(_ string: String) -> UnsafePointer<CChar>? { UnsafePointer(strdup(string)) }

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
