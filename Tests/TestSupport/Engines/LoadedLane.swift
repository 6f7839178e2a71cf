import CSynthEngine
import Synchronization

/// A lane, closed when this object is deallocated. `speak` and `cancel` may be called from two threads, as the ABI promises.
package final class LoadedLane: @unchecked Sendable {
    private let model: LoadedModel
    package let pointer: OpaquePointer
    private let isClosed = Atomic(false)

    init(model: LoadedModel, pointer: OpaquePointer) {
        self.model = model
        self.pointer = pointer
    }

    deinit { close() }

    /// Speaks and records. `shouldContinue` is called in each sink call; `false` stops the engine.
    package func speak(_ wanted: TestRequest, shouldContinue: @escaping (Recording) -> Bool = { _ in true })
        -> Recording
    {
        let arena = CArena()
        var request = synth_request()
        request.struct_size = UInt32(MemoryLayout<synth_request>.size)
        request.kind = wanted.kind
        request.serial = wanted.serial
        request.text = arena.string(wanted.text)
        request.length = wanted.text.utf8.count
        request.language = wanted.language.map { arena.string($0) }
        let uses = wanted.voices.map { voice in
            var use = synth_voice_use()
            use.struct_size = UInt32(MemoryLayout<synth_voice_use>.size)
            use.weight = voice.weight
            use.id = arena.string(voice.id)
            use.speaker = wanted.speaker.map { arena.string($0) }
            (use.files, use.file_count) = arena.files(wanted.filesOfVoice[voice.id] ?? wanted.files)
            return UnsafePointer?(arena.array([use]))
        }
        request.voices = arena.array(uses)
        request.voice_count = uses.count
        request.rate = wanted.rate
        request.pitch = wanted.pitch
        request.variation = wanted.variation
        request.wants = wanted.wants
        request.flags = wanted.flags
        let points = wanted.pitchPoints.map { wanted in
            var point = synth_pitch_point()
            point.struct_size = UInt32(MemoryLayout<synth_pitch_point>.size)
            point.factor = wanted.factor
            point.text_offset = wanted.offset
            return UnsafePointer?(arena.array([point]))
        }
        request.pitch_points = points.isEmpty ? nil : arena.array(points)
        request.pitch_point_count = points.count
        request.intonation = wanted.intonation
        let recording = Recording(text: wanted.text, shouldContinue: shouldContinue)
        let report = ErrorReport()
        let status = withExtendedLifetime(arena) {
            withUnsafePointer(to: recording.sink()) { sink in
                model.table.pointee.synthesize(pointer, &request, sink, report.pointer)
            }
        }
        recording.finish(report.failure(status))
        return recording
    }

    package func cancel(_ serial: UInt64) { model.table.pointee.cancel?(pointer, serial) }

    package func close() {
        if !isClosed.exchange(true, ordering: .relaxed) { model.table.pointee.close(pointer) }
    }
}
