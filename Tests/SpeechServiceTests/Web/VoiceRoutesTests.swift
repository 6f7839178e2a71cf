import SynthCatalogue
import SynthHost
import SynthHostTesting
import SynthJSON
import SynthModelStore
import SynthSystem
import Testing
import TestSupport

@testable import SynthService

@Suite("Voices over HTTP", .ownThreads)
struct VoiceRoutesTests {
    private let engine = TestEngine(framesPerByte: 10)
    private let library = TestBackend(ready: ["Ann", "Bob"], missing: ["Eve"])

    private func serving(isOpen: Bool = true, _ body: (WebServing) throws -> Void) throws {
        try WebServing.run(engine, isOpen: isOpen, library: library, body)
    }

    private func states(_ web: WebServing) throws -> [String?] {
        try web.ask("GET", "/api/voices").json?.elements("voices").map { $0.text("state") } ?? []
    }

    @Test("The list contains everything shown on the page")
    func list() throws {
        library.set(
            "Bob", .unusable(SpeechError(VoiceError.damaged(title: "Bob", id: "Bob", why: "its file is short"))))
        try serving { web throws in
            let reply = try web.ask("GET", "/api/voices")
            #expect(reply.status == 200 && reply["cache-control"] == "no-store")
            #expect(reply.json?.text("chosen") == "test/Ann")
            let voices = reply.json?.elements("voices") ?? []
            #expect(voices.map { $0.text("key") } == ["test/Ann", "test/Bob", "test/Eve"])
            #expect(voices.map { $0.text("state") } == ["ready", "unusable", "notDownloaded"])
            #expect(voices.map { $0.number("missing") } == [0, 0, 1000])
            #expect(voices.map { $0.number("starter") } == [1, nil, nil])
            let problem = voices[1]
            #expect(problem.text("problem", "message") == "voice_unusable")
            #expect(problem.flag("problem", "mayWorkLater") == false)
            let expected: [(String, JSONNode.Value)] = [
                ("id", .string("Ann")), ("engine", .string("test")), ("name", .string("Ann")),
                ("title", .string("Ann (American)")), ("language", .string("en-US")), ("accent", .string("American")),
                ("gender", .null), ("quality", .null), ("license", .string("CC0-1.0")), ("speakers", .array([])),
                ("size", .number(1000)), ("removable", .boolean(false)), ("favorite", .boolean(false)),
                ("hidden", .boolean(false)), ("progress", .null), ("problem", .null),
            ]
            for (name, value) in expected { #expect(voices[0].value(at: [name]) == value, "\(name)") }
            #expect(voices[0].members.count == expected.count + 5)
            let profile = try #require(voices[0].members.first { $0.name == "profile" }?.node.members)
            #expect(
                profile.map(\.name) == ["rate", "pitch", "volume", "pause"]
                    && profile.allSatisfy { $0.node.value == .null })
        }
    }

    @Test("A single voice can be looked up by its key")
    func one() throws {
        library.add("en+f3")
        try serving { web throws in
            let reply = try web.ask("GET", "/api/voices?key=test%2Fen%2Bf3")
            #expect(reply.status == 200 && reply.json?.text("id") == "en+f3")
            #expect(try web.ask("GET", "/api/voices?key=test/Ann").json?.text("key") == "test/Ann")
            let unknown = try web.ask("GET", "/api/voices?key=test/Nobody")
            #expect(unknown.status == 404 && unknown.errorCode == "unknown_voice")
            #expect(try web.ask("GET", "/api/voices?key=").status == 400)
            #expect(try web.ask("HEAD", "/api/voices").body.isEmpty)
        }
    }

    @Test("If the registry is unreadable, requests fail instead of hanging")
    func broken() throws {
        library.fail(SpeechError(VoiceError.noEngine))
        try serving { web throws in
            for path in ["/api/voices", "/api/voices?key=a", "/api/events"] {
                #expect(try web.ask("GET", path).status == 503, "\(path)")
            }
            library.fail(nil)
            #expect(try web.ask("GET", "/api/voices").status == 200)
        }
    }

    private static let changes: [(method: String, path: String, body: String?)] = [
        ("DELETE", "/api/voices?key=test/Bob", nil), ("POST", "/api/downloads", #"{"key":"test/Eve"}"#),
        ("DELETE", "/api/downloads?key=test/Eve", nil), ("PUT", "/api/profiles?key=test/Ann", #"{"rate":2}"#),
        ("PUT", "/api/chosen", #"{"key":"test/Bob"}"#), ("PUT", "/api/marks?key=test/Bob", #"{"hidden":true}"#),
    ]

    @Test("Changes require the token, even on this machine", arguments: changes)
    func needed(_ method: String, _ path: String, _ body: String?) throws {
        try serving { web throws in
            let none = try web.ask(method, path, body: body)
            #expect(none.status == 401 && none.errorCode == "token_needed")
            let wrong = try web.ask(method, path, [("Authorization", "Bearer of-bad-news-0123456")], body: body)
            #expect(wrong.status == 401 && wrong.errorCode == "bad_token")
            let elsewhere = WebServing.bearer + [("Origin", "http://evil.example")]
            #expect(try web.ask(method, path, elsewhere, body: body).status == 403)
            #expect(library.downloadCount(of: "Eve") == 0 && library.presets.profiles.isEmpty)
            #expect(try states(web) == ["ready", "ready", "notDownloaded"])
            #expect(try web.ask(method, path, WebServing.bearer, body: body).status < 300)
        }
    }

    @Test("A voice can be marked as a favorite or as hidden")
    func marks() throws {
        try serving { web throws in
            let path = "/api/marks?key=test/Bob"
            let favorite = try web.ask("PUT", path, WebServing.bearer, body: #"{"favorite":true}"#)
            #expect(favorite.status == 200 && favorite.json?.flag("favorite") == true)
            // A voice is on only one of the two lists.
            let hidden = try web.ask("PUT", path, WebServing.bearer, body: #"{"hidden":true}"#).json
            #expect(hidden?.flag("hidden") == true && hidden?.flag("favorite") == false)
            let shown = try web.ask("PUT", path, WebServing.bearer, body: #"{"hidden":false,"favorite":null}"#).json
            #expect(shown?.flag("hidden") == false && shown?.flag("favorite") == false)
            let wrong = try web.ask("PUT", path, WebServing.bearer, body: #"{"hidden":1}"#)
            #expect(wrong.status == 400 && wrong.errorCode == "invalid_parameter")
            #expect(try web.ask("PUT", "/api/marks", WebServing.bearer, body: "{}").status == 400)
            #expect(try web.ask("PUT", "/api/marks?key=x", WebServing.bearer, body: "{}").status == 404)
        }
    }

    @Test("On other machines, voices are visible only with the token", arguments: ["/api/voices", "/api/events"])
    func closed(_ path: String) throws {
        try serving(isOpen: false) { web throws in #expect(try web.ask("GET", path).status == 401) }
    }

    @Test("Removing a voice reports how much space has been freed")
    func remove() throws {
        try serving { web throws in
            let reply = try web.ask("DELETE", "/api/voices?key=test/Bob", WebServing.bearer)
            #expect(reply.status == 200 && reply.json?.number("freed") == 1000)
            #expect(try states(web) == ["ready", "notDownloaded", "notDownloaded"])
            let again = try web.ask("DELETE", "/api/voices?key=test/Bob", WebServing.bearer)
            #expect(again.status == 409 && again.errorCode == "voice_not_downloaded")
            let builtIn = try web.ask("DELETE", "/api/voices?key=test/Ann", WebServing.bearer)
            #expect(builtIn.status == 409 && builtIn.errorCode == "voice_built_in")
            #expect(try web.ask("DELETE", "/api/voices?key=x", WebServing.bearer).status == 404)
            #expect(try web.ask("DELETE", "/api/voices", WebServing.bearer).status == 400)
        }
    }

    @Test("A voice that is speaking cannot be removed; once a voice has been removed, no part of it stays loaded")
    func inUse() throws {
        try serving { web throws in
            engine.hold()
            let talker = try web.client()
            try talker.send("POST", "/v1/audio/speech", body: #"{"input":"a","voice":"Bob","response_format":"pcm"}"#)
            engine.waitForSentences(1)
            let busy = try web.ask("DELETE", "/api/voices?key=test/Bob", WebServing.bearer)
            #expect(busy.status == 409 && busy.errorCode == "voice_in_use")
            engine.release()
            #expect(try talker.reply().status == 200)
            #expect(try web.ask("DELETE", "/api/voices?key=test/Bob", WebServing.bearer).status == 200)
        }
    }

    @Test("A voice cannot be removed while it is being loaded")
    func loading() throws {
        try serving { web throws in
            web.double.loading.update { $0.insert("Bob") }
            let talker = try web.client()
            try talker.send("POST", "/v1/audio/speech", body: #"{"input":"a","voice":"Bob","response_format":"pcm"}"#)
            _ = web.double.begun.wait { $0.contains("Bob") ? true : nil }
            #expect(try web.ask("DELETE", "/api/voices?key=test/Bob", WebServing.bearer).errorCode == "voice_in_use")
            web.double.loading.update { $0.remove("Bob") }
            #expect(try talker.reply().status == 200)
        }
    }

    private static let refusals: [(problem: SpeechError, status: Int, code: String)] = [
        (refusal(.busy(entry: "Bob", process: 5)), 409, "voice_in_use"),
        (refusal(.file(FileFailure(.noAccess, call: "unlink", path: "/x"))), 500, "not_removed"),
        (SpeechError.configurationUnwritable(file: "/x", code: 30), 500, "not_saved"),
        (refusal(.notOurs(path: "/x")), 500, "not_removed"),
    ]

    private static func refusal(_ error: StoreError) -> SpeechError {
        SpeechError.removalFailed("Bob", SpeechError(error))
    }

    @Test("A failed change is reported with the reason", arguments: refusals.indices)
    func refused(_ number: Int) throws {
        let (problem, status, code) = Self.refusals[number]
        library.refuse(problem)
        try serving { web throws in
            for (method, path, body) in Self.changes where !path.contains("downloads") {
                let reply = try web.ask(method, path, WebServing.bearer, body: body)
                #expect(reply.status == status && reply.errorCode == code, "\(path)")
            }
            #expect(try states(web) == ["ready", "ready", "notDownloaded"])
        }
    }

    @Test("A profile can be changed, and null resets a factor to the general setting")
    func profiles() throws {
        try serving { web throws in
            func put(_ body: String) throws -> WebReply {
                try web.ask("PUT", "/api/profiles?key=test/Ann", WebServing.bearer, body: body)
            }
            let reply = try put(#"{"rate":1.1,"pitch":null}"#)
            #expect(reply.status == 200 && reply.json?.number("profile", "rate") == 1.1)
            #expect(library.presets.profiles == ["test/Ann": VoiceProfile(rate: 1.1)])
            for body in [
                #"{"rate":0.2}"#, #"{"rate":4.1}"#, #"{"pitch":0}"#, #"{"volume":-1}"#, #"{"rate":"1"}"#,
                #"{"volume":1e9}"#, "[]", "", "{",
            ] {
                #expect(try put(body).status == 400, "\(body)")
            }
            #expect(library.presets.profiles == ["test/Ann": VoiceProfile(rate: 1.1)])
            #expect(try put("{}").status == 200)
            #expect(library.presets.profiles == [:])
            let nobody = try web.ask("PUT", "/api/profiles?key=x", WebServing.bearer, body: "{}")
            #expect(nobody.status == 404)
        }
    }

    @Test("A voice can be selected only if it can speak")
    func choose() throws {
        try serving { web throws in
            func put(_ key: String) throws -> WebReply {
                try web.ask("PUT", "/api/chosen", WebServing.bearer, body: #"{"key":\#(key)}"#)
            }
            let reply = try put(#""test/Bob""#)
            #expect(reply.status == 200 && reply.json?.text("chosen") == "test/Bob")
            #expect(try web.ask("GET", "/api/voices").json?.text("chosen") == "test/Bob")
            #expect(try put(#""test/Eve""#).errorCode == "voice_not_downloaded")
            #expect(try put(#""x""#).status == 404)
            #expect(try put("null").status == 400)
            #expect(try put("7").status == 400)
            library.set("Eve", .unusable(SpeechError(VoiceError.missingEngine(title: "Eve", engine: "other"))))
            #expect(try put(#""test/Eve""#).status >= 400)
            #expect(try web.ask("GET", "/api/voices").json?.text("chosen") == "test/Bob")
        }
    }
}
