import SynthHost
import SynthSystem
import Testing

@testable import SynthService

@Suite("Voice library lists")
struct LibraryListTests {
    private func list(_ library: LibraryDouble) throws -> LibraryList { try library.library() }

    @Test("The changes since an earlier list are found")
    func change() throws {
        let library = LibraryDouble(ready: ["Ann", "Bob"], missing: ["Eve"])
        let first = try list(library)
        #expect(try list(library).change(since: first).isEmpty)
        library.set("Eve", .ready)
        library.set("Bob", .notDownloaded(bytes: 5))
        #expect(try list(library).change(since: first) == .init(voices: ["test/Bob", "test/Eve"]))
        let chosen = LibraryList(first.voices, chosen: "test/Bob")
        #expect(chosen.change(since: first) == .init(isOfList: true))
        let turned = LibraryList(Array(first.voices.reversed()), chosen: "test/Ann")
        #expect(turned.change(since: first) == .init(isOfList: true))
        library.add("Ida")
        let grown = try list(library)
        #expect(grown.change(since: first) == .init(voices: ["test/Bob", "test/Eve"], isOfList: true))
        #expect(first.change(since: grown).isOfList)
        #expect(grown.change(since: LibraryList([], chosen: nil)) == .init(isOfList: true))
    }

    @Test("Each voice is listed once, and the first one gets the key")
    func unique() throws {
        let voices = try list(LibraryDouble(ready: ["Ann", "Bob", "Eve"])).voices
        let twice = LibraryList(voices + voices.reversed(), chosen: nil)
        #expect(twice.voices == voices)
        for voice in voices { #expect(twice[voice.key] == voice) }
        #expect(twice["test/Nobody"] == nil)
    }

    @Test("Concurrent requests share one read of the library")
    func together() throws {
        let library = LibraryDouble(ready: ["Ann"])
        library.hold(true)
        let service = ServiceLibrary(library, WarmModels())
        let done = Monitor(0)
        func ask() {
            startThread("asker") {
                _ = try? service.entries()
                done.update { $0 += 1 }
            }
        }
        ask()
        library.waitForReading()
        for _ in 0..<20 { ask() }
        library.hold(false)
        #expect(done.wait(timeout: .seconds(600)) { $0 == 21 ? true : nil } == true)
        // Requests after the start of the first read share a later one, if they arrived before that started.
        let readings = library.readings
        library.set("Ann", .notDownloaded(bytes: 1))
        #expect(try service.entry("test/Ann").voice.missing == 1)
        #expect(library.readings == readings + 1)
    }
}
