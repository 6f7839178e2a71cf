package import CSynthEngine

package struct LoadedModel {
    package let table: UnsafePointer<synth_engine>
    package let pointer: OpaquePointer

    init(table: UnsafePointer<synth_engine>, name: String, files: [String: String]) throws {
        self.table = table
        let arena = CArena()
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        load.model = arena.string(name)
        (load.files, load.file_count) = arena.files(files)
        var model: OpaquePointer?
        let report = ErrorReport()
        let status = table.pointee.load(&load, &model, report.pointer)
        guard status == SYNTH_OK, let model else { throw report.failure(status) }
        pointer = model
    }

    package func open() throws -> LoadedLane {
        var lane: OpaquePointer?
        let report = ErrorReport()
        let status = table.pointee.open(pointer, &lane, report.pointer)
        guard status == SYNTH_OK, let lane else { throw report.failure(status) }
        return LoadedLane(table: table, pointer: lane)
    }

    package func unload() { table.pointee.unload(pointer) }
}
