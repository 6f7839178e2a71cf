import Foundation
import SynthHost
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@Suite("This machine's voice library", .ownThreads)
struct RealLibraryTests {
    private func voice(_ key: String, _ real: RealLibrary) throws -> JSONNode {
        try #require(try real.ask("GET", "/api/voices?key=\(key)").json)
    }

    /// Returns the events for a voice, up to the first event with the given state.
    private func events(_ client: WebConversation, _ key: String, until state: String) throws -> [JSONNode] {
        var events: [JSONNode] = []
        while let event = try client.event() {
            guard let data = event.data else { continue }
            let node = try JSONReader.read(Array(data.utf8))
            for voice in event.type == "voice" ? [node] : node.elements("voices") where voice.text("key") == key {
                events.append(voice)
                // Only the first list counts, because a later one does not show which event changed the voice.
                let tells = event.type == "voice" || events.count == 1
                if voice.text("state") == state, tells { return events }
            }
        }
        throw WebConversation.Failure.cut
    }

    private func post(_ key: String, _ real: RealLibrary) throws -> WebReply {
        try real.ask("POST", "/api/downloads", body: #"{"key":"\#(key)"}"#)
    }

    private func speak(_ key: String, _ real: RealLibrary) throws -> WebReply {
        try real.ask(
            "POST", "/v1/audio/speech", body: #"{"input":"Hello.","voice":"\#(key)","response_format":"pcm"}"#)
    }

    @Test("A voice can be downloaded, tuned, selected, spoken with and removed")
    func life() throws {
        let real = try RealLibrary { file, request, number in
            // The server is slow enough for progress to be visible.
            var answer = LoopbackServer.Answer(file, to: request)
            (answer.limit, answer.end, answer.piece) = (0, .trickle, 50_000)
            return answer
        }
        let key = "tone/nature_1"
        let client = try real.client()
        try client.send("GET", "/api/events")
        #expect(try client.head().status == 200)
        let before = try voice(key, real)
        #expect(before.text("state") == "notDownloaded" && before.number("missing") == Double(RealLibrary.size))
        #expect(before.flag("removable") == false && before.number("starter") == 1)
        #expect(try speak(key, real).status == 404)
        #expect(try real.ask("PUT", "/api/chosen", body: #"{"key":"\#(key)"}"#).errorCode == "voice_not_downloaded")

        #expect(try post(key, real).status == 202)
        let steps = try events(client, key, until: "ready")
        let bytes = steps.compactMap { $0.number("progress", "bytes") }
        // Only the latest progress is sent, so on a busy machine, the last event may be the only one.
        #expect(bytes == bytes.sorted(), "\(bytes)")
        let ready = try voice(key, real)
        #expect(ready.text("state") == "ready" && ready.flag("removable") == true && ready.number("missing") == 0)
        #expect(try post(key, real).status == 200)
        let sound = try speak(key, real)
        #expect(sound.status == 200 && sound.body.count > 1000)

        #expect(try real.ask("PUT", "/api/profiles?key=\(key)", body: #"{"rate":2}"#).status == 200)
        #expect(try voice(key, real).number("profile", "rate") == 2)
        let faster = try speak(key, real)
        #expect(faster.body.count < sound.body.count)

        #expect(try real.ask("PUT", "/api/chosen", body: #"{"key":"\#(key)"}"#).json?.text("chosen") == key)
        #expect(try real.ask("GET", "/api/voices").json?.text("chosen") == key)
        let configuration = String(decoding: try real.home.data("config/synthhost/config.json"), as: UTF8.self)
        #expect(configuration.contains(#""engine": "tone""#) && configuration.contains(#""tone": "Nature""#))

        let removed = try real.ask("DELETE", "/api/voices?key=\(key)")
        #expect(removed.status == 200 && (removed.json?.number("freed") ?? 0) >= Double(RealLibrary.size))
        #expect(try voice(key, real).text("state") == "notDownloaded")
        #expect(try real.ask("GET", "/api/voices").json?.text("chosen") != key)
        #expect(try speak(key, real).status == 404 && real.stored("nature.pitch").isEmpty)
        let forgotten = String(decoding: try real.home.data("config/synthhost/config.json"), as: UTF8.self)
        #expect(!forgotten.contains("Nature"))
    }

    @Test("A cancelled download resumes where it left off")
    func cancel() throws {
        let isCancelled = Monitor(false)
        let real = try RealLibrary { file, request, number in
            if isCancelled.read({ $0 }) { return nil }
            var answer = LoopbackServer.Answer(file, to: request)
            // Until the cancellation, the server stalls after 150,000 bytes, and a resumed request gets no data.
            (answer.limit, answer.end) = (request.range == nil ? 150_000 : 0, .hang)
            return answer
        }
        let key = "tone/nature_1"
        let client = try real.client()
        try client.send("GET", "/api/events")
        _ = try client.head()
        #expect(try post(key, real).status == 202)
        while try (events(client, key, until: "downloading").last?.number("progress", "bytes") ?? 0) < 100_000 {}
        #expect(try real.ask("DELETE", "/api/downloads?key=\(key)").status == 202)
        let stopped = try events(client, key, until: "notDownloaded").last
        isCancelled.update { $0 = true }
        #expect((stopped?.number("missing") ?? 0) <= Double(RealLibrary.size) - 100_000)
        #expect(real.stored(".part").count == 1)
        #expect(try post(key, real).status == 202)
        _ = try events(client, key, until: "ready")
        #expect((real.server.requests.last?.range?.first ?? 0) >= 100_000)
        #expect(try speak(key, real).status == 200)
    }

    @Test("A failed download is reported with the reason and can be retried")
    func failure() throws {
        let real = try RealLibrary { _, _, number in number == 1 ? .init(status: 404) : nil }
        let key = "tone/nature_1"
        let client = try real.client()
        try client.send("GET", "/api/events")
        _ = try client.head()
        #expect(try post(key, real).status == 202)
        let failed = try #require(try events(client, key, until: "failed").last)
        #expect(failed.flag("problem", "mayWorkLater") == false)
        #expect(failed.text("problem", "message")?.contains("404") == true)
        #expect(try post(key, real).status == 202)
        _ = try events(client, key, until: "ready")
        #expect(try speak(key, real).status == 200)
    }

    @Test("The model of a removed voice is kept as long as a different voice needs it")
    func shared() throws {
        let real = try RealLibrary()
        let client = try real.client()
        try client.send("GET", "/api/events")
        _ = try client.head()
        for key in ["tone/left_1", "tone/right_1"] {
            #expect(try post(key, real).status == 202)
            _ = try events(client, key, until: "ready")
        }
        #expect(real.server.requests.count { $0.path == "/duet.pitch" } == 1)
        #expect(try speak("tone/right_1", real).status == 200)
        #expect(try real.ask("DELETE", "/api/voices?key=tone/left_1").status == 200)
        #expect(try speak("tone/right_1", real).status == 200 && real.stored("duet.pitch").count == 1)
        #expect(try voice("tone/left_1", real).number("missing") == 0)
        let freed = try real.ask("DELETE", "/api/voices?key=tone/right_1").json?.number("freed") ?? 0
        #expect(freed >= Double(RealLibrary.size) && real.stored("duet.pitch").isEmpty)
    }

    @Test("A voice downloaded by another program appears in the next list")
    func elsewhere() throws {
        let real = try RealLibrary()
        let client = try real.client()
        try client.send("GET", "/api/events")
        _ = try client.head()
        _ = try events(client, "tone/nature_1", until: "notDownloaded")
        let pull = try real.home.runProcess("models", "pull", "nature_1")
        #expect(pull.code == 0, "\(pull.errors)")
        #expect(try voice("tone/nature_1", real).text("state") == "ready")
        _ = try events(client, "tone/nature_1", until: "ready")
    }
}
