package import CSynthEngine
import Glibc
import Synchronization

/// A recognizer that is called through its C table, as a host would call it.
package struct LoadedRecognizer {
    package let table: UnsafePointer<synth_recognizer>

    /// The recognizer that an entry function returns.
    package init(entry: (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_recognizer>?) throws {
        let abi = UInt32(SYNTH_RECOGNIZER_ABI)
        guard entry(abi + 1, HostLog.host) == nil else {
            throw LoadedEngine.Failure(
                description: "The recognizer claims to support an ABI version that does not exist.")
        }
        guard let table = entry(abi, HostLog.host) else {
            throw LoadedEngine.Failure(description: "The recognizer does not support this ABI version.")
        }
        self.table = table
    }

    package var models: [synth_recognizer_model] {
        (0..<UInt32.max).lazy.map { table.pointee.model?($0) }.prefix { $0 != nil }.compactMap { $0?.pointee }
    }

    package var roles: [synth_role] {
        (0..<UInt32.max).lazy.map { table.pointee.role?($0) }.prefix { $0 != nil }.compactMap { $0?.pointee }
    }

    package func load(
        _ model: String = "", files: [String: String] = [:], threads: UInt32 = 1, cacheDirectory: String? = nil
    ) throws -> LoadedListener {
        try LoadedListener(table: table, name: model, files: files, threads: threads, cacheDirectory: cacheDirectory)
    }
}

/// A recognizer's model, unloaded when this object is deallocated. Its lanes keep it alive.
package final class LoadedListener {
    private let isUnloaded = Atomic(false)
    let table: UnsafePointer<synth_recognizer>
    let pointer: OpaquePointer

    init(
        table: UnsafePointer<synth_recognizer>, name: String, files: [String: String], threads: UInt32,
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

    package func open() throws -> LoadedRecognizerLane {
        var lane: OpaquePointer?
        let report = ErrorReport()
        let status = table.pointee.open(pointer, &lane, report.pointer)
        guard status == SYNTH_OK, let lane else { throw report.failure(status) }
        return LoadedRecognizerLane(model: self, pointer: lane)
    }

    package func unload() {
        if !isUnloaded.exchange(true, ordering: .relaxed) { table.pointee.unload(pointer) }
    }
}

/// A recognizer lane, closed when this object is deallocated. `listen` and `cancel` may be called from two threads, as the
/// ABI promises.
package final class LoadedRecognizerLane: @unchecked Sendable {
    private let model: LoadedListener
    package let pointer: OpaquePointer
    private let isClosed = Atomic(false)

    init(model: LoadedListener, pointer: OpaquePointer) {
        self.model = model
        self.pointer = pointer
    }

    deinit { close() }

    /// Listens and records. `shouldContinue` is called whenever the recognizer reports something to the host; `false` stops
    /// the recognizer.
    package func listen(
        _ wanted: TestRecognition, shouldContinue: @escaping (RecordedRecognition) -> Bool = { _ in true }
    ) -> RecordedRecognition {
        let arena = CArena()
        let record = RecordedRecognition(wanted, shouldContinue: shouldContinue)
        let report = ErrorReport()
        let status = withExtendedLifetime((arena, record)) {
            var (recognition, sound, hearing) = (wanted.recognition(in: arena), record.sound, record.hearing)
            return model.table.pointee.recognize(pointer, &recognition, &sound, &hearing, report.pointer)
        }
        record.finish(report.failure(status))
        return record
    }

    package func cancel(_ serial: UInt64) { model.table.pointee.cancel?(pointer, serial) }

    package func close() {
        if !isClosed.exchange(true, ordering: .relaxed) { model.table.pointee.close(pointer) }
    }
}

/// A test's recognition request, in Swift types.
package struct TestRecognition {
    package var sound: [Float]
    /// The number of frames in each chunk of audio.
    package var piece = Int.max
    package var language: String?
    package var kind = SYNTH_HINT_TEXT
    package var context: String?
    package var phrases: [String] = []
    package var flags: UInt32 = 0
    package var wants: UInt32 = .max
    package var serial: UInt64 = 1

    package init(_ sound: [Float], context: String? = nil) {
        self.sound = sound
        self.context = context
    }

    /// The request as a C struct. Its parts are valid for the lifetime of the arena.
    package func recognition(in arena: CArena) -> synth_recognition {
        var hints = synth_hints()
        hints.struct_size = UInt32(MemoryLayout<synth_hints>.size)
        hints.kind = kind.rawValue
        hints.context = context.map { arena.string($0) }
        hints.phrases = phrases.isEmpty ? nil : arena.array(phrases.map { Optional(arena.string($0)) })
        hints.phrase_count = phrases.count
        var recognition = synth_recognition()
        recognition.struct_size = UInt32(MemoryLayout<synth_recognition>.size)
        recognition.flags = flags
        recognition.serial = serial
        recognition.language = language.map { arena.string($0) }
        recognition.hints = arena.array([hints])
        recognition.wants = wants
        return recognition
    }
}
