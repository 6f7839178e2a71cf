import SynthHost
import SynthHostTesting
import SynthSystem
import Testing

@testable import SynthService

@Suite("Voice library lists")
struct LibraryListTests {
    private func list(_ library: TestBackend) throws -> LibraryList { try library.library() }

    @Test("The changes since an earlier list are found")
    func change() throws {
        let library = TestBackend(ready: ["Ann", "Bob"], missing: ["Eve"])
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

    @Test("Each voice is listed once and can be found by its key")
    func unique() throws {
        let voices = try list(TestBackend(ready: ["Ann", "Bob", "Eve"])).voices
        let twice = LibraryList(voices + voices.reversed(), chosen: nil)
        #expect(twice.voices == voices)
        for voice in voices { #expect(twice[voice.key] == voice) }
        #expect(twice["test/Nobody"] == nil)
    }

    @Test("Concurrent requests share a single read of the library")
    func together() throws {
        let library = TestBackend(ready: ["Ann"])
        library.hold(true)
        let service = ServiceLibrary(SpeechHost(library), WarmModels())
        let done = Monitor(0)
        func ask() {
            startThread("asker") {
                _ = try? service.entries()
                done.update { $0 += 1 }
            }
        }
        ask()
        library.waitForLook()
        for _ in 0..<20 { ask() }
        library.hold(false)
        #expect(done.wait(timeout: .seconds(600)) { $0 == 21 ? true : nil } == true)
        // Requests that arrive during a read share the next read, so the number of reads so far depends on timing.
        let readings = library.looks
        library.set("Ann", .notDownloaded(bytes: 1))
        #expect(try service.entry("test/Ann").voice.missing == 1)
        #expect(library.looks == readings + 1)
    }
}
