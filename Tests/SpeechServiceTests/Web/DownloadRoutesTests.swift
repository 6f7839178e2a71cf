import SynthCatalogue
import SynthHost
import SynthHostTesting
import SynthJSON
import SynthModelStore
import SynthSystem
import Testing
import TestSupport

@Suite("Downloads over HTTP", .ownThreads)
struct DownloadRoutesTests {
    private let engine = TestEngine(framesPerByte: 10)
    private let library = TestBackend(ready: ["Ann"], missing: ["Eve", "Ida", "Joe", "Kim"])

    private func serving(_ body: (WebServing, Events) throws -> Void) throws {
        try WebServing.run(engine, library: library) { web throws in
            let client = try web.client()
            try client.send("GET", "/api/events")
            #expect(try client.head()["content-type"] == "text/event-stream")
            try body(web, Events(client: client))
        }
    }

    /// The events received by a client.
    private struct Events {
        let client: WebConversation

        /// Returns the next event for a voice in the given state. Fails if the stream ends first.
        ///
        /// - Parameter alone: Whether to ignore complete lists and consider only events for single voices.
        func voice(_ id: String, _ state: String, alone: Bool = false) throws -> JSONNode {
            while let (type, data) = try client.event() {
                if alone, type != "voice" { continue }
                guard let node = try data.map({ try JSONReader.read(Array($0.utf8)) }) else { continue }
                let voices = type == "voice" ? [node] : node.elements("voices")
                if let found = voices.first(where: { $0.text("id") == id && $0.text("state") == state }) {
                    return found
                }
            }
            throw WebConversation.Failure.cut
        }
    }

    private func post(_ id: String, _ web: WebServing) throws -> WebReply {
        try web.ask("POST", "/api/downloads", WebServing.bearer, body: #"{"key":"test/\#(id)"}"#)
    }

    private func cancel(_ id: String, _ web: WebServing) throws -> WebReply {
        try web.ask("DELETE", "/api/downloads?key=test/\(id)", WebServing.bearer)
    }

    @Test("A download reports bytes, speed, time and each step until the voice is ready")
    func steps() throws {
        try serving { web, events throws in
            let reply = try post("Eve", web)
            #expect(reply.status == 202 && reply.json?.text("state") == "downloading")
            #expect(reply.json?.number("progress", "bytes") == 0)
            #expect(reply.json?.number("progress", "total") == 1000)
            let download = library.download(of: "Eve")
            download.arrive(400, of: 1000)
            var voice = try events.voice("Eve", "downloading")
            while voice.number("progress", "bytes") != 400 { voice = try events.voice("Eve", "downloading") }
            #expect(voice.number("progress", "bytesPerSecond") == 1000)
            #expect(voice.number("progress", "secondsLeft") == 3 && voice.number("missing") == 600)
            download.be(.waiting(process: 7))
            _ = try events.voice("Eve", "waiting")
            download.arrive(1000, of: 1000)
            // Only the latest state is kept, and nothing is verified before the last byte has arrived.
            while try events.voice("Eve", "downloading").number("progress", "bytes") != 1000 {}
            download.be(.verifying)
            _ = try events.voice("Eve", "verifying")
            download.be(.unpacking)
            _ = try events.voice("Eve", "unpacking")
            download.be(.measuring)
            _ = try events.voice("Eve", "measuring")
            library.finish("Eve")
            let ready = try events.voice("Eve", "ready", alone: true)
            #expect(ready.value(at: ["progress"]) == .null && ready.number("missing") == 0)
            #expect(try post("Eve", web).status == 200)
        }
    }

    @Test("Concurrent requests share a single download per voice")
    func shared() throws {
        try serving { web, events throws in
            for _ in 0..<5 { #expect(try post("Eve", web).status == 202) }
            let other = try web.client()
            try other.send("GET", "/api/events")
            _ = try other.head()
            #expect(library.downloadCount(of: "Eve") == 1)
            library.download(of: "Eve").arrive(10, of: 1000)
            for listener in [events, Events(client: other)] {
                while try listener.voice("Eve", "downloading").number("progress", "bytes") != 10 {}
            }
            library.finish("Eve")
            for listener in [events, Events(client: other)] { _ = try listener.voice("Eve", "ready") }
        }
    }

    @Test("A cancelled download resumes where it left off")
    func cancelling() throws {
        try serving { web, events throws in
            _ = try post("Eve", web)
            let download = library.download(of: "Eve")
            download.arrive(300, of: 1000)
            library.set("Eve", .notDownloaded(bytes: 700))
            #expect(try cancel("Eve", web).status == 202)
            while try events.voice("Eve", "notDownloaded").number("missing") != 700 {}
            #expect(download.isCancelled.read { $0 })
            let reply = try post("Eve", web)
            #expect(reply.json?.number("progress", "bytes") == 300)
            library.finish("Eve")
            _ = try events.voice("Eve", "ready")
            #expect(try cancel("Eve", web).status == 200)
            #expect(library.downloadCount(of: "Eve") == 2)
        }
    }

    @Test("A download that is requested again while it is being cancelled restarts once it has been cancelled")
    func again() throws {
        library.disobey()
        try serving { web, events throws in
            _ = try post("Eve", web)
            let first = library.download(of: "Eve")
            #expect(try cancel("Eve", web).status == 202)
            #expect(try post("Eve", web).status == 202)
            #expect(library.downloadCount(of: "Eve") == 1)
            first.end(.cancelled)
            _ = library.download(of: "Eve", 2)
            library.finish("Eve")
            _ = try events.voice("Eve", "ready")
        }
    }

    @Test("A failed download is reported with the remedy and can be retried")
    func failing() throws {
        try serving { web, events throws in
            _ = try post("Eve", web)
            library.download(of: "Eve").end(.failed(WebServing.networkFailure, mayWorkLater: true))
            let failed = try events.voice("Eve", "failed")
            #expect(failed.text("problem", "message") == "download_failed")
            #expect(failed.flag("problem", "mayWorkLater") == true && failed.value(at: ["progress"]) == .null)
            #expect(try web.ask("GET", "/api/voices?key=test/Eve").json?.text("state") == "failed")
            #expect(try post("Eve", web).json?.text("state") == "downloading")
            library.download(of: "Eve", 2).end(
                .failed(SpeechError(StoreError.notWhole(voice: "Eve")), mayWorkLater: false))
            // The first failure may be reported again.
            while try events.voice("Eve", "failed").flag("problem", "mayWorkLater") != false {}
            // A failed download can be dismissed.
            #expect(try cancel("Eve", web).status == 202)
            #expect(try events.voice("Eve", "notDownloaded").value(at: ["problem"]) == .null)
        }
    }

    @Test("A failure is cleared once another program has downloaded the voice")
    func elsewhere() throws {
        try serving { web, events throws in
            _ = try post("Eve", web)
            library.download(of: "Eve").end(
                .failed(SpeechError(StoreError.busy(entry: "Eve", process: 1)), mayWorkLater: true))
            _ = try events.voice("Eve", "failed")
            library.set("Eve", .ready)
            #expect(try web.ask("GET", "/api/voices?key=test/Eve").json?.text("state") == "ready")
            _ = try events.voice("Eve", "ready")
        }
    }

    @Test("If there are many downloads, some are queued, and a queued download can be cancelled")
    func queue() throws {
        try serving { web, events throws in
            for id in ["Eve", "Ida", "Joe"] { #expect(try post(id, web).json?.text("state") == "downloading") }
            #expect(try post("Kim", web).json?.text("state") == "waiting")
            #expect(try cancel("Kim", web).status == 202)
            _ = try events.voice("Kim", "notDownloaded")
            #expect(try post("Kim", web).json?.text("state") == "waiting")
            #expect(library.downloadCount(of: "Kim") == 0)
            library.finish("Ida")
            library.download(of: "Kim").arrive(1, of: 1000)
            _ = try events.voice("Kim", "downloading")
        }
    }

    @Test("A voice cannot be removed while it is being downloaded")
    func removing() throws {
        try serving { web, _ throws in
            _ = try post("Eve", web)
            let reply = try web.ask("DELETE", "/api/voices?key=test/Eve", WebServing.bearer)
            #expect(reply.status == 409 && reply.errorCode == "voice_in_use")
        }
    }

    @Test("An unknown or unusable voice is not downloaded")
    func refused() throws {
        library.set("Ida", .unusable(SpeechError(VoiceError.unsupportedVoice(title: "Ida", why: "it sings"))))
        try serving { web, _ throws in
            #expect(try post("Nobody", web).status == 404)
            #expect(try post("Ida", web).status == 400)
            #expect(try web.ask("POST", "/api/downloads", WebServing.bearer, body: "{}").status == 400)
            #expect(try cancel("Nobody", web).status == 404)
            #expect(library.downloadCount(of: "Ida") == 0)
        }
    }
}
