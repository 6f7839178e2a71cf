import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@Suite("HTTP requests for a voice that is not installed", .ownThreads)
struct ImplicitDownloadTests {
    private let engine = TestEngine(framesPerByte: 10)
    private let library = TestBackend(ready: ["Ann"], missing: ["Eve"])
    private static let path = "/v1/audio/speech"
    private static let call = #"{"input":"Hello.","voice":"Eve","response_format":"pcm"}"#

    /// - Parameter isAllowed: Whether the user allows such downloads.
    private func serving(isAllowed: Bool, _ body: (WebServing) throws -> Void) throws {
        try WebServing.run(engine, library: library) { web throws in
            web.double.set("Eve", .notDownloaded(bytes: 1))
            web.double.configure { $0.autoDownload = isAllowed }
            try body(web)
        }
    }

    @Test("The request is rejected, and the error explains how to get the voice")
    func refused() throws {
        try serving(isAllowed: false) { web throws in
            let reply = try web.ask("POST", Self.path, body: Self.call)
            #expect(reply.status == 404 && reply.errorCode == "voice_not_downloaded")
            #expect(reply["retry-after"] == nil && reply.json?.text("error", "param") == "voice")
            #expect(library.downloadCount(of: "Eve") == 0)
        }
    }

    @Test("If downloads are allowed, the request waits for the voice and then speaks")
    func downloads() throws {
        try serving(isAllowed: true) { web throws in
            let client = try web.client()
            try client.send("POST", Self.path, body: Self.call)
            library.download(of: "Eve").arrive(500, of: 1000)
            web.double.set("Eve", .ready)
            library.finish("Eve")
            let reply = try client.reply()
            #expect(reply.status == 200 && !reply.body.isEmpty)
            #expect(library.downloadCount(of: "Eve") == 1)
        }
    }

    @Test("If the download fails, the request fails")
    func fails() throws {
        try serving(isAllowed: true) { web throws in
            let client = try web.client()
            try client.send("POST", Self.path, body: Self.call)
            library.download(of: "Eve").end(.failed(WebServing.networkFailure, mayWorkLater: true))
            let reply = try client.reply()
            #expect(reply.status >= 500 && reply.errorCode == "download_failed")
        }
    }

    @Test("The download continues for the other requests if one of them is abandoned")
    func leaves() throws {
        try serving(isAllowed: true) { web throws in
            let (first, second) = (try web.client(), try web.client())
            try first.send("POST", Self.path, body: Self.call)
            let download = library.download(of: "Eve")
            try second.send("POST", Self.path, body: Self.call)
            first.stream.stop()
            download.arrive(700, of: 1000)
            web.double.set("Eve", .ready)
            library.finish("Eve")
            #expect(try second.reply().status == 200)
            #expect(!download.isCancelled.read { $0 })
        }
    }
}
