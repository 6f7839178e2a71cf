import CSynthEngine
import EngineKit
import Foundation
import Testing
import TestSupport

@Suite("The C table that EngineKit creates for an engine")
struct TableTests {
    let engine: LoadedEngine

    init() throws {
        engine = try .probe()
    }

    func lane() throws -> LoadedLane { try engine.load("m", files: ["weights": "/w"]).open() }

    func speak(_ text: String) throws -> Recording { try lane().speak(TestRequest(text, voice: "v0")) }

    @Test("The table is always the same for this ABI and is nil for a different ABI or a second engine")
    func answersItsABI() {
        #expect(Probe.table(abi: UInt32(SYNTH_ABI) + 1, host: nil) == nil)
        #expect(Probe.table(abi: UInt32(SYNTH_ABI), host: nil) == engine.table)
        #expect(SecondProbe.table(abi: UInt32(SYNTH_ABI), host: nil) == nil)
    }

    @Test("Log messages reach the host one line at a time")
    func logs() throws {
        let name = UUID().uuidString
        let lane = try engine.load(name, files: ["weights": "/w"]).open()
        #expect(lane.speak(TestRequest("log", voice: "v0")).status == SYNTH_OK)
        #expect(HostLog.lines(containing: name) == ["2 \(name) says something"])
    }

    @Test("The table contains the fields of the description")
    func describes() {
        let table = engine.description
        #expect(Int(table.struct_size) == MemoryLayout<synth_engine>.size)
        #expect(table.abi == UInt32(SYNTH_ABI))
        #expect(String(cString: table.id) == "probe")
        #expect(String(cString: table.name) == "Probe")
        #expect(String(cString: table.version) == "2")
        #expect(String(cString: table.license) == "MIT")
        #expect(String(cString: table.url) == "https://example.org/probe")
        let capabilities = [SYNTH_CAN_TIME_WORDS, SYNTH_CAN_TIME_PHONEMES, SYNTH_CAN_SHAPE_PITCH, SYNTH_CAN_WHISPER]
        #expect(table.capabilities == capabilities.reduce(0) { $0 | $1.rawValue })
        #expect(table.max_lanes == 3)
        #expect((table.rate_min, table.rate_max) == (0.5, 2))
        #expect((table.pitch_min, table.pitch_max) == (0.5, 2))
    }

    @Test("The engine's needs are listed")
    func listsNeeds() throws {
        var needs: [String] = []
        while let need = engine.table.pointee.need(UInt32(needs.count)) {
            let path = need.pointee.path.map { String(cString: $0) } ?? "-"
            needs.append("\(need.pointee.kind) \(path) \(String(cString: need.pointee.reason))")
        }
        #expect(needs == ["1 - It asks.", "2 - It compiles.", "3 /dev/dri It draws.", "4 /opt/x It reads."])
        #expect(engine.table.pointee.need(UInt32.max) == nil)
    }

    @Test("The roles are listed")
    func listsRoles() {
        let roles = engine.roles
        #expect(roles.map { String(cString: $0.name) } == ["weights", "style", "data"])
        #expect(roles.map(\.scope) == [SYNTH_SCOPE_MODEL, SYNTH_SCOPE_VOICE, SYNTH_SCOPE_MODEL].map(\.rawValue))
        #expect(
            roles.map(\.flags) == [
                0, SYNTH_ROLE_OPTIONAL.rawValue, SYNTH_ROLE_OPTIONAL.rawValue | SYNTH_ROLE_FOLDER.rawValue,
            ])
        #expect(engine.table.pointee.role(UInt32.max) == nil)
    }

    @Test("A thousand voices are listed with all their fields at stable addresses")
    func listsVoices() throws {
        let voices = engine.voices
        #expect(voices.count == Probe.voiceCount)
        for (number, voice) in voices.enumerated() {
            #expect(Int(voice.struct_size) == MemoryLayout<synth_voice>.size)
            #expect(String(cString: voice.id) == "v\(number)")
            #expect(String(cString: voice.name) == "Voice \(number)")
            let source = try #require(voice.sources?[0]?.pointee)
            #expect(voice.source_count == 1)
            #expect(String(cString: source.url) == "https://example.org/\(number)")
            #expect(source.size == 7)
        }
        #expect(String(cString: voices[0].accent) == "British")
        #expect(voices[1].accent == nil && voices[1].license == nil)
        #expect(voices[0].gender == SYNTH_FEMALE.rawValue)
        let speakers = try #require(voices[0].speakers)
        #expect((0..<voices[0].speaker_count).compactMap { speakers[$0].map { String(cString: $0) } } == ["a", "b"])
        #expect(engine.table.pointee.voice(3) == engine.table.pointee.voice(3))
    }

    @Test("Voices with the same speakers share one array")
    func sharesSpeakers() {
        let voices = engine.voices
        #expect(voices[0].speakers == voices[499].speakers)
        #expect(voices[0].speakers != voices[500].speakers)
    }

    @Test("The engine receives the host's files and request")
    func handsOver() throws {
        let lane = try lane()
        var request = TestRequest("report", voice: "v7")
        request.speaker = "b"
        request.language = "de"
        request.files = ["style": "/s"]
        request.rate = 9
        request.pitch = .nan
        #expect(lane.speak(request).outcome.message == "m 1 /w|v7|b|/s|de|2.0 1.0 1")
        #expect(lane.speak(TestRequest("report", voice: "v8")).outcome.message == "m 1 /w|v8|-|-|-|1.0 1.0 2")
        request = TestRequest("report", voice: "v8")
        request.flags = SYNTH_AWAITED.rawValue
        #expect(lane.speak(request).outcome.message == "m 1 /w|v8|-|-|-|1.0 1.0 3 awaited")
    }

    @Test("The engine receives pitch points in order, clamped to the text and the declared range")
    func passesPitch() throws {
        let lane = try lane()
        var request = TestRequest("pitch äöü", voice: "v8")
        request.pitch = 1.5
        #expect(lane.speak(request).outcome.message == "1.5 1.0|")
        request.pitchPoints = [(0, 1), (6, 1), (6, 1.25), (12, 0.75)]
        request.flags = SYNTH_WHISPERED.rawValue
        request.intonation = -0.25
        #expect(lane.speak(request).outcome.message == "1.5 0.75 whispered|0 1.0|6 1.0|6 1.25|12 0.75")
        request.flags = 0
        request.intonation = 7
        request.pitchPoints = [(3, 9), (1, .nan), (900, 0.01), (-1, 0)]
        #expect(lane.speak(request).outcome.message == "1.5 2.0|3 2.0|3 1.0|12 0.5|12 1.0")
    }

    @Test("The error for a missing file contains the table's own string for the role")
    func namesMissingFile() throws {
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        var model: OpaquePointer?
        let report = ErrorReport()
        #expect(engine.table.pointee.load(&load, &model, report.pointer) == SYNTH_MISSING_FILE)
        #expect(model == nil)
        #expect(report.pointer.pointee.role == engine.roles[0].name)
        #expect(report.failure(SYNTH_MISSING_FILE).message.contains("weights"))
    }

    @Test("Errors from load and synthesize name the role of a damaged file")
    func namesDamagedFile() throws {
        #expect(throws: ErrorReport.Failure(status: SYNTH_BAD_FILE, message: "The data is broken.", role: "data")) {
            try engine.load(files: ["weights": "/w", "data": "/d"])
        }
        #expect(
            try speak("role").outcome
                == ErrorReport.Failure(status: SYNTH_BAD_FILE, message: "It is broken.", role: "style"))
        #expect(try speak("strange role").outcome.role == nil)
    }

    @Test("The host receives audio and events in order and exactly once")
    func passesSound() throws {
        let recording = try speak("Hello ümlaut")
        #expect(recording.status == SYNTH_OK)
        #expect(recording.violations.isEmpty)
        #expect(recording.sampleRate == 8000)
        #expect(recording.frameCount == 1000)
        #expect(recording.texts(of: SYNTH_SENTENCE) == ["Hello ümlaut"])
        let phonemes = recording.events.filter { $0.kind == SYNTH_PHONEME.rawValue }
        #expect(phonemes.map(\.frame) == (0..<100).map { $0 * 10 })
        #expect(phonemes.allSatisfy { $0.label == "ə" && $0.frameCount == 10 })
    }

    @Test("Events that the host has not requested are dropped")
    func dropsEvents() throws {
        var request = TestRequest("Hello", voice: "v0")
        request.wants = SYNTH_WORD.rawValue
        let recording = try lane().speak(request)
        #expect(Set(recording.events.map(\.kind)) == [SYNTH_WORD.rawValue])
        request.wants = 0
        #expect(try lane().speak(request).events.isEmpty)
    }

    @Test("A request without speech succeeds, and begin is not called")
    func saysNothing() throws {
        let recording = try speak("")
        #expect(recording.status == SYNTH_OK)
        #expect(recording.calls == 0)
    }

    @Test(
        "An error becomes a status and a message",
        arguments: [
            ("umlauts", SYNTH_BAD_REQUEST, "äöü"), ("memory", SYNTH_NO_MEMORY, "There is no memory."),
            ("odd", SYNTH_FAILED, "An odd error."),
        ])
    func reportsErrors(text: String, status: synth_status, message: String) throws {
        #expect(try speak(text).outcome == ErrorReport.Failure(status: status, message: message, role: nil))
    }

    @Test("Calls made in the wrong order cause an error, and the sink is not called", arguments: ["early", "half"])
    func refusesDisorder(text: String) throws {
        let recording = try speak(text)
        #expect(recording.status == SYNTH_FAILED)
        #expect(!recording.outcome.message.isEmpty)
        #expect(recording.violations.isEmpty && recording.samples.isEmpty)
    }

    @Test("Requests for anything that the table does not declare are rejected")
    func refusesRequests() throws {
        var phonemes = TestRequest("həlˈoʊ", voice: "v0")
        phonemes.kind = SYNTH_PHONEMES.rawValue
        #expect(try lane().speak(phonemes).status == SYNTH_BAD_REQUEST)
        phonemes.kind = 77
        #expect(try lane().speak(phonemes).status == SYNTH_BAD_REQUEST)
        var blend = TestRequest("Hello", voice: "v0")
        blend.voices = [("v0", 0.5), ("v1", 0.5)]
        #expect(try lane().speak(blend).status == SYNTH_BAD_REQUEST)
        blend.voices = []
        #expect(try lane().speak(blend).status == SYNTH_BAD_REQUEST)
    }

    @Test("Models and lanes are freed when the host closes them")
    func freesModelsAndLanes() throws {
        let name = UUID().uuidString
        let model = try engine.load(name, files: ["weights": "/w"])
        let lanes = [try model.open(), try model.open()]
        #expect(ProbeModel.live(name) == 1)
        lanes[0].close()
        #expect(lanes[1].speak(TestRequest("Hello", voice: "v0")).status == SYNTH_OK)
        lanes[1].close()
        #expect(ProbeModel.live(name) == 1)
        model.unload()
        #expect(ProbeModel.live(name) == 0)
    }
}
