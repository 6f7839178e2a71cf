import CSynthEngine
import EngineKit
import Glibc
import Testing
import TestSupport

/// Passes a copy of a struct that ends directly before a guard page.
func atPageEnd<Struct, Result>(
    _ value: Struct, size: Int, _ body: (UnsafePointer<Struct>) throws -> Result
) throws -> Result {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let map = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(map, 2 * page) }
    try #require(mprotect(map + page, page, PROT_NONE) == 0)
    let start = map + page - size
    withUnsafeBytes(of: value) { start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: size) }
    start.storeBytes(of: UInt32(size), as: UInt32.self)
    return try body(UnsafePointer(start.assumingMemoryBound(to: Struct.self)))
}

/// Passes the struct as the first part of a longer struct with unknown fields.
func withLater<Struct, Result>(_ value: Struct, _ body: (UnsafePointer<Struct>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: 200, alignment: 16) { bytes in
        bytes.initializeMemory(as: UInt8.self, repeating: 0xAA)
        withUnsafeBytes(of: value) { bytes.copyMemory(from: $0) }
        bytes.storeBytes(of: 200, as: UInt32.self)
        return bytes.withMemoryRebound(to: Struct.self) { rebound in
            withUnsafePointer(to: value) { body(UnsafePointer(rebound.baseAddress) ?? $0) }
        }
    }
}

@Suite("Engine structs from other releases")
struct ForeignStructTests {
    let engine: LoadedEngine
    let lane: LoadedLane

    init() throws {
        engine = try .probe()
        lane = try engine.load("m", files: ["weights": "/w"]).open()
    }

    /// A request for `text` with one voice. Its pointers are valid for the lifetime of `arena`.
    func request(_ text: String, use: UnsafePointer<synth_voice_use>, in arena: CArena) -> synth_request {
        var request = synth_request()
        request.struct_size = UInt32(MemoryLayout<synth_request>.size)
        request.serial = 1
        request.text = arena.string(text)
        request.length = text.utf8.count
        request.voices = arena.array([use])
        request.voice_count = 1
        request.wants = .max
        return request
    }

    func use(in arena: CArena) -> synth_voice_use {
        var use = synth_voice_use()
        use.struct_size = UInt32(MemoryLayout<synth_voice_use>.size)
        use.id = arena.string("v0")
        return use
    }

    /// Speaks "Hello" with structs of the given sizes.
    func speak(request size: Int, use useSize: Int = 40, sink sinkSize: Int = 40) throws -> Recording {
        let recording = Recording(text: "Hello") { _ in true }
        let report = ErrorReport()
        let arena = CArena()
        let status = try atPageEnd(use(in: arena), size: useSize) { use in
            try atPageEnd(request("Hello", use: use, in: arena), size: size) { request in
                try atPageEnd(recording.sink(), size: sinkSize) { sink in
                    engine.table.pointee.synthesize(lane.pointer, request, sink, report.pointer)
                }
            }
        }
        recording.finish(report.failure(status))
        return recording
    }

    @Test(
        "A request with a shorter struct is read only up to its end, and missing fields are treated as zero",
        arguments: [56, 64, 72, 80, 88, 96])
    func readsShortRequest(size: Int) throws {
        let recording = try speak(request: size)
        #expect(recording.status == SYNTH_OK)
        #expect(recording.frameCount == 1000)
        #expect(recording.events.isEmpty == (size < 72))
    }

    @Test("A sink whose struct ends before the event callback receives all audio but no events")
    func readsShortSink() throws {
        let recording = try speak(request: 72, sink: 32)
        #expect(recording.status == SYNTH_OK)
        #expect(recording.events.isEmpty)
        #expect(recording.frameCount == 1000)
    }

    @Test("The struct that describes the use of a voice may end after the ID")
    func readsShortVoiceUse() throws {
        #expect(try speak(request: 72, use: 16).status == SYNTH_OK)
    }

    @Test("Fields appended in a later release are not read")
    func readsLongStructs() throws {
        let recording = Recording(text: "Hello") { _ in true }
        let report = ErrorReport()
        let arena = CArena()
        let request = request("Hello", use: arena.array([use(in: arena)]), in: arena)
        let status = withLater(request) { request in
            withLater(recording.sink()) { sink in
                engine.table.pointee.synthesize(lane.pointer, request, sink, report.pointer)
            }
        }
        #expect(status == SYNTH_OK)
        #expect(recording.frameCount == 1000)
    }

    @Test("NULL for a required pointer causes an error, not a crash")
    func survivesNull() throws {
        let table = engine.table.pointee
        var model: OpaquePointer?
        var load = synth_load()
        load.struct_size = UInt32(MemoryLayout<synth_load>.size)
        #expect(table.load(nil, &model, nil) == SYNTH_FAILED)
        #expect(table.load(&load, nil, nil) == SYNTH_FAILED)
        #expect(table.load(&load, &model, nil) == SYNTH_MISSING_FILE)
        #expect(table.open(nil, &model, nil) == SYNTH_FAILED)
        var request = synth_request()
        request.struct_size = UInt32(MemoryLayout<synth_request>.size)
        request.serial = 1
        var sink = synth_sink()
        sink.struct_size = UInt32(MemoryLayout<synth_sink>.size)
        let report = ErrorReport()
        #expect(table.synthesize(nil, &request, &sink, report.pointer) == SYNTH_FAILED)
        #expect(table.synthesize(lane.pointer, nil, &sink, report.pointer) == SYNTH_FAILED)
        #expect(table.synthesize(lane.pointer, &request, nil, report.pointer) == SYNTH_FAILED)
        #expect(table.synthesize(lane.pointer, &request, &sink, report.pointer) == SYNTH_BAD_REQUEST)
        table.cancel(nil, 1)
        table.close(nil)
        table.unload(nil)
    }

    @Test("A message is truncated at a character boundary and ends within the buffer", arguments: 0...8)
    func cutsMessages(capacity: Int) {
        let report = ErrorReport(capacity: capacity)
        let arena = CArena()
        var request = request("umlauts", use: arena.array([use(in: arena)]), in: arena)
        var sink = synth_sink()
        sink.struct_size = UInt32(MemoryLayout<synth_sink>.size)
        let status = engine.table.pointee.synthesize(lane.pointer, &request, &sink, report.pointer)
        #expect(status == SYNTH_BAD_REQUEST)
        #expect(report.isIntact)
        let expected = ["", "", "", "ä", "ä", "äö", "äö", "äöü", "äöü"][capacity]
        #expect(report.failure(status).message == expected)
    }
}
