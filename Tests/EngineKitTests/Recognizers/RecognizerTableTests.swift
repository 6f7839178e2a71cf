import CSynthEngine
import EngineKit
import Foundation
import Testing
import TestSupport

@Suite("The C table that EngineKit creates for a recognizer")
struct RecognizerTableTests {
    let recognizer: LoadedRecognizer

    init() throws {
        recognizer = try .probe()
    }

    @Test("The table is always the same for this ABI and is nil for a different ABI or a second recognizer")
    func answersItsABI() {
        let abi = UInt32(SYNTH_RECOGNIZER_ABI)
        #expect(RecognizerProbe.table(abi: abi + 1, host: nil) == nil)
        #expect(RecognizerProbe.table(abi: abi, host: nil) == recognizer.table)
        #expect(SecondRecognizer.table(abi: abi, host: nil) == nil)
    }

    @Test("A shared object can contain the tables of both an engine and a recognizer")
    func standsBesideAnEngine() throws {
        #expect(try String(cString: LoadedEngine.probe().description.name) == "Probe")
        #expect(String(cString: recognizer.table.pointee.name) == "Probe")
    }

    @Test("The table contains the fields of the description")
    func describes() {
        let table = recognizer.table.pointee
        #expect(Int(table.struct_size) == MemoryLayout<synth_recognizer>.size)
        #expect(table.abi == UInt32(SYNTH_RECOGNIZER_ABI))
        #expect(String(cString: table.id) == "probe")
        #expect(String(cString: table.version) == "2")
        #expect(String(cString: table.license) == "MIT")
        #expect(String(cString: table.url) == "https://example.org/probe")
        let capabilities = [SYNTH_CAN_TRANSCRIBE, SYNTH_CAN_GIVE_PARTIALS, SYNTH_CAN_TRANSLATE].map(\.rawValue)
        #expect(table.capabilities == capabilities.reduce(0, |))
        #expect((table.max_lanes, table.sample_rate, table.max_seconds) == (3, 8000, 30))
    }

    @Test("The recognizer's roles, variables and needs are listed")
    func lists() throws {
        let table = recognizer.table.pointee
        let roles = recognizer.roles
        #expect(roles.map { String(cString: $0.name) } == ["weights", "words"])
        #expect(roles.allSatisfy { $0.scope == SYNTH_SCOPE_MODEL.rawValue })
        #expect(roles.map(\.flags) == [0, SYNTH_ROLE_OPTIONAL.rawValue | SYNTH_ROLE_FOLDER.rawValue])
        #expect(table.variable(0).map { String(cString: $0) } == "PROBE_PATH")
        let need = try #require(table.need(0)).pointee
        #expect(need.kind == SYNTH_NEED_DEVICE.rawValue && String(cString: need.path) == "/dev/dri")
        #expect(table.role(.max) == nil && table.variable(1) == nil && table.need(1) == nil)
    }

    @Test("Models are listed with all their fields at stable addresses")
    func listsModels() throws {
        let models = recognizer.models
        #expect(models.map { String(cString: $0.id) } == ["small", "any"])
        #expect(models.map { String(cString: $0.name) } == ["Small", "Any"])
        #expect(models.allSatisfy { Int($0.struct_size) == MemoryLayout<synth_recognizer_model>.size })
        // A model that declares no capabilities has those of the recognizer.
        #expect(
            models.map(\.capabilities) == [SYNTH_CAN_TRANSCRIBE.rawValue, recognizer.table.pointee.capabilities])
        #expect(String(cString: models[0].license) == "CC0-1.0" && models[1].license == nil)
        let languages = try #require(models[0].languages)
        #expect(
            (0..<models[0].language_count).compactMap { languages[$0].map { String(cString: $0) } } == ["en", "de-CH"])
        #expect(models[1].languages == nil && models[1].language_count == 0 && models[1].sources == nil)
        let source = try #require(models[0].sources?[0]?.pointee)
        #expect(models[0].source_count == 1 && String(cString: source.url) == "https://example.org/small")
        #expect(recognizer.table.pointee.model(1) == recognizer.table.pointee.model(1))
    }

    @Test("The recognizer receives the host's files and hints")
    func handsOver() throws {
        let lane = try LoadedRecognizerLane.probe()
        #expect(lane.listen(TestRecognition([], context: "x")).outcome.message == "small 1 /w|1|x")
        #expect(lane.listen(TestRecognition([])).outcome.message == "small 1 /w|2|-")
        let record = lane.listen(to: []) { request in
            request.language = "de"
            request.kind = SYNTH_HINT_CHOICE
            request.phrases = ["ja", "nein"]
            request.flags = SYNTH_LIVE.rawValue | SYNTH_TO_ENGLISH.rawValue
            request.wants = SYNTH_WANT_SPOKEN_WORDS.rawValue
        } _: { request, _, _ in
            let facts = [
                request.language ?? "-", "\(request.hints.kind)", request.hints.phrases.joined(separator: ","),
                "\(request.isLive) \(request.translatesToEnglish)", "\(request.wants == .words)",
            ]
            throw EngineError(.failed, facts.joined(separator: "|"))
        }
        #expect(record.outcome.message == "de|choice|ja,nein|true true|true")
        let plain = lane.listen(to: []) { request in
            request.kind = synth_hint_kind(77)
        } _: { request, _, _ in
            throw EngineError(.failed, "\(request.language ?? "-") \(request.hints.kind) \(request.isLive)")
        }
        #expect(plain.outcome.message == "- text false")
    }

    @Test("The error for a missing or damaged file contains the table's own string for the role")
    func namesFiles() throws {
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        var model: OpaquePointer?
        let report = ErrorReport()
        #expect(recognizer.table.pointee.load(&load, &model, report.pointer) == SYNTH_MISSING_FILE)
        #expect(model == nil && report.pointer.pointee.role == recognizer.roles[0].name)
        #expect(throws: ErrorReport.Failure(status: SYNTH_BAD_FILE, message: "The words are broken.", role: "words")) {
            try recognizer.load(files: ["weights": "/w", "words": "/d"])
        }
    }

    @Test("An error becomes a status and a message, and the lane still works")
    func reportsErrors() throws {
        struct Odd: Error, CustomStringConvertible { let description = "An odd error." }
        let lane = try LoadedRecognizerLane.probe()
        let cases: [(any Error & Sendable, synth_status, String)] = [
            (EngineError(.badRequest, "äöü"), SYNTH_BAD_REQUEST, "äöü"),
            (EngineError(.outOfMemory, "There is no memory."), SYNTH_NO_MEMORY, "There is no memory."),
            (EngineError(.missingFile, "It is missing.", role: "unheard-of"), SYNTH_MISSING_FILE, "It is missing."),
            (Odd(), SYNTH_FAILED, "An odd error."),
        ]
        for (error, status, message) in cases {
            let record = lane.listen(to: ramp(10)) { _, _, _ in throw error }
            #expect(record.outcome == ErrorReport.Failure(status: status, message: message, role: nil))
        }
        #expect(
            lane.listen(to: ramp(10)) { try $2.final(RecognizedText("Yes.", frames: 0..<$1.frame)) }.status == SYNTH_OK)
    }

    @Test("Log messages reach the host one line at a time")
    func logs() throws {
        let name = UUID().uuidString
        _ = try LoadedRecognizerLane.probe().listen(to: []) { _, _, _ in EngineLog.info("\(name) hears\nsomething") }
        #expect(HostLog.lines(containing: name) == ["1 \(name) hears something"])
    }

    @Test("Models and lanes are freed when the host closes them")
    func freesModelsAndLanes() throws {
        let name = UUID().uuidString
        let model = try recognizer.load(name, files: ["weights": "/w"])
        let lanes = [try model.open(), try model.open()]
        #expect(ProbeRecognizerModel.live(name) == 1)
        lanes[0].close()
        #expect(lanes[1].listen(to: ramp(10)) { _, sound, _ in _ = try sound.rest() }.status == SYNTH_OK)
        lanes[1].close()
        #expect(ProbeRecognizerModel.live(name) == 1)
        model.unload()
        #expect(ProbeRecognizerModel.live(name) == 0)
    }
}
