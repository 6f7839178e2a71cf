import CSynthEngine
import EngineKit
import Testing
import TestSupport

@Suite("Recognizer structs from other releases")
struct ForeignRecognizerTests {
    let recognizer: LoadedRecognizer
    let lane: LoadedRecognizerLane

    init() throws {
        recognizer = try .probe()
        lane = try recognizer.load("small", files: ["weights": "/w"]).open()
    }

    /// Reads all audio and makes every possible call to the host.
    private static let everything: Acts.Act = { request, sound, hearing in
        let count = try sound.rest().count
        guard sound.ready == 0 else { throw EngineError(.failed, "Something is left.") }
        try hearing.speechBegins(at: 0)
        try hearing.final(RecognizedText("\(count)", frames: 0..<sound.frame))
        try hearing.speechEnds(at: sound.frame)
        try hearing.progress(1)
    }

    /// Transcribes with structs of the given sizes.
    private func listen(
        recognition size: Int = 40, hints: Int = 32, sound: Int = 32, hearing: Int = 40
    ) throws -> RecordedRecognition {
        let wanted = TestRecognition(ramp(100), context: Acts.add(Self.everything))
        let record = RecordedRecognition(wanted) { _ in true }
        let (report, arena) = (ErrorReport(), CArena())
        var recognition = wanted.recognition(in: arena)
        let recognize = recognizer.table.pointee.recognize
        let status = try withExtendedLifetime(arena) {
            try atPageEnd(recognition.hints.pointee, size: hints) { hints in
                recognition.hints = hints
                return try atPageEnd(recognition, size: size) { recognition in
                    try atPageEnd(record.sound, size: sound) { sound in
                        try atPageEnd(record.hearing, size: hearing) { hearing in
                            recognize?(lane.pointer, recognition, sound, hearing, report.pointer) ?? SYNTH_FAILED
                        }
                    }
                }
            }
        }
        record.finish(report.failure(status))
        #expect(record.violations.isEmpty)
        return record
    }

    @Test("Shorter structs are read only up to their end, and missing fields are treated as zero")
    func short() throws {
        #expect(try listen().events.count == 2)
        let unwanted = try listen(recognition: 32)
        #expect(unwanted.status == SYNTH_OK && unwanted.events.isEmpty && unwanted.finals.map(\.text) == ["100"])
        #expect(try listen(hints: 16).finals.map(\.text) == ["100"])
        #expect(try listen(sound: 24).finals.map(\.text) == ["100"])
        let deaf = try listen(sound: 16)
        #expect(deaf.status == SYNTH_OK && deaf.finals.map(\.text) == ["0"])
        let quiet = try listen(hearing: 24)
        #expect(quiet.status == SYNTH_OK && quiet.events.isEmpty && quiet.progress.isEmpty)
        #expect(quiet.finals.map(\.text) == ["100"])
        #expect(try listen(hearing: 16).calls == 0)
    }

    @Test("Fields appended in a later release are not read")
    func long() {
        let wanted = TestRecognition(ramp(100), context: Acts.add(Self.everything))
        let record = RecordedRecognition(wanted) { _ in true }
        let (report, arena) = (ErrorReport(), CArena())
        let status = withExtendedLifetime(arena) {
            withLater(wanted.recognition(in: arena)) { recognition in
                withLater(record.sound) { sound in
                    withLater(record.hearing) { hearing in
                        recognizer.table.pointee.recognize(lane.pointer, recognition, sound, hearing, report.pointer)
                    }
                }
            }
        }
        #expect(status == SYNTH_OK && record.finals.map(\.text) == ["100"])
    }

    @Test("NULL hints are treated as empty, and a NULL phrase does not change the other indices")
    func noHints() {
        let (report, arena) = (ErrorReport(), CArena())
        let record = RecordedRecognition(TestRecognition([])) { _ in true }
        var recognition = TestRecognition([]).recognition(in: arena)
        recognition.hints = nil
        var (sound, hearing) = (record.sound, record.hearing)
        let table = recognizer.table.pointee
        #expect(table.recognize(lane.pointer, &recognition, &sound, &hearing, report.pointer) == SYNTH_FAILED)
        #expect(report.failure(SYNTH_FAILED).message == "small 1 /w|1|-")
        var hints = synth_hints()
        hints.struct_size = UInt32(MemoryLayout<synth_hints>.size)
        hints.context = arena.string(
            Acts.add { request, _, _ in throw EngineError(.failed, "\(request.hints.phrases)") })
        hints.phrases = arena.array([nil, arena.string("b")])
        hints.phrase_count = 2
        recognition.hints = arena.array([hints])
        recognition.serial = 2
        #expect(table.recognize(lane.pointer, &recognition, &sound, &hearing, report.pointer) == SYNTH_FAILED)
        #expect(report.failure(SYNTH_FAILED).message == #"["", "b"]"#)
    }

    @Test("NULL for a required pointer causes an error, not a crash")
    func survivesNull() {
        let table = recognizer.table.pointee
        var model: OpaquePointer?
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        #expect(table.load(nil, &model, nil) == SYNTH_FAILED)
        #expect(table.load(&load, nil, nil) == SYNTH_FAILED)
        #expect(table.load(&load, &model, nil) == SYNTH_MISSING_FILE)
        #expect(table.open(nil, &model, nil) == SYNTH_FAILED)
        let (report, arena) = (ErrorReport(), CArena())
        let record = RecordedRecognition(TestRecognition([])) { _ in true }
        var recognition = TestRecognition([]).recognition(in: arena)
        var (sound, hearing) = (record.sound, record.hearing)
        #expect(table.recognize(nil, &recognition, &sound, &hearing, report.pointer) == SYNTH_FAILED)
        #expect(table.recognize(lane.pointer, nil, &sound, &hearing, report.pointer) == SYNTH_FAILED)
        #expect(table.recognize(lane.pointer, &recognition, nil, &hearing, report.pointer) == SYNTH_FAILED)
        #expect(table.recognize(lane.pointer, &recognition, &sound, nil, report.pointer) == SYNTH_FAILED)
        #expect(record.calls == 0 && record.frame == 0)
        table.cancel(nil, 1)
        table.close(nil)
        table.unload(nil)
    }
}
