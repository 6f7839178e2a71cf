import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("models pull", .ownThreads)
struct ModelsPullTests {
    @Test("A voice can be downloaded by its usual name and can then speak")
    func pull() throws {
        let fixture = try RegistryFixture()
        let pulled = try fixture.home.run("models", "pull", "nature (british)")
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(pulled.errors.contains("Nature (British) is ready."))
        let spoken = try fixture.home.run("speak", "-v", "Nature", "hello", "-o", fixture.home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        let other = try fixture.home.run("speak", "-v", "Low", "hello", "-o", fixture.home.file("b.wav"))
        #expect(other.code == 0, "\(other.errors)")
        #expect(try fixture.home.wav("a.wav").samples != fixture.home.wav("b.wav").samples)
    }

    @Test("An installed voice is reported without contacting the server")
    func again() throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.home.run("models", "pull", "Nature").code == 0)
        let asked = fixture.asked
        let again = try fixture.home.run("models", "pull", "Nature", "Sine")
        #expect(again.code == 0)
        #expect(again.errors.contains("is already installed"))
        #expect(again.errors.contains("Sine is built into tone"))
        #expect(fixture.asked == asked)
    }

    @Test("Files shared by two voices are downloaded once")
    func shared() throws {
        let fixture = try RegistryFixture()
        let pulled = try fixture.home.run("models", "pull", "Left", "Right", "--json")
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(fixture.asked == ["/duet.pitch"])
        let results = try #require(JSONSerialization.jsonObject(with: Data(pulled.output)) as? [[String: Any]])
        #expect(results.map { $0["state"] as? String } == ["ready", "ready"])
    }

    @Test("If two processes pull the same voice, it is downloaded once, and both succeed")
    func atOnce() throws {
        let fixture = try RegistryFixture(nature: RegistryFixture.pitch(330, size: 400_000)) { request, number in
            var answer = LoopbackServer.Answer(RegistryFixture.pitch(330, size: 400_000), to: request)
            answer.limit = 200_000
            answer.end = .trickle
            answer.piece = 20_000
            return answer
        }
        let first = try fixture.home.start(["models", "pull", "Nature"])
        let second = try fixture.home.start(["models", "pull", "Nature"])
        for process in [first, second] {
            let result = try process.finish()
            #expect(result.code == 0, "\(result.errors)")
        }
        #expect(fixture.asked.count == 1)
        #expect(fixture.stored("nature.pitch").count == 1)
    }

    @Test("If a voice cannot be downloaded, the reason is reported, and the other voices are still downloaded")
    func oneFails() throws {
        let fixture = try RegistryFixture { request, _ in request.path == "/nature.pitch" ? .init(status: 404) : nil }
        let pulled = try fixture.home.run("models", "pull", "Nature", "Brook")
        #expect(pulled.code == 69)
        #expect(pulled.errors.contains("the server returned 404"))
        #expect(pulled.errors.contains("synthhost voices --all"))
        #expect(pulled.errors.contains("Brook is ready."))
    }

    @Test("A file that changed upstream is rejected and discarded")
    func changed() throws {
        let other = RegistryFixture.pitch(331)
        let fixture = try RegistryFixture { request, _ in
            request.path == "/nature.pitch" ? .init(other, to: request) : nil
        }
        let pulled = try fixture.home.run("models", "pull", "Nature")
        #expect(pulled.code == 69)
        #expect(pulled.errors.contains("does not match the registry"))
        #expect(fixture.stored("nature.pitch").isEmpty)
        #expect(fixture.stored(".part").isEmpty)
    }

    @Test("A rate-limited request is retried after the delay specified by the server")
    func rateLimit() throws {
        let fixture = try RegistryFixture { _, number in
            number == 0 ? .init(status: 429, fields: ["Retry-After": "0"]) : nil
        }
        let pulled = try fixture.home.run("models", "pull", "Nature")
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(fixture.asked.count == 2)
    }

    @Test("After Ctrl-C, the received data is kept, a message explains how to resume, and the next pull resumes")
    func interruption() throws {
        let file = RegistryFixture.pitch(330, size: 300_000)
        let fixture = try RegistryFixture(nature: file) { request, number in
            guard number == 0 else { return nil }
            var answer = LoopbackServer.Answer(file, to: request)
            answer.limit = 200_000
            answer.end = .hang
            return answer
        }
        let screen = try Screen()
        let process = try fixture.home.start(
            ["models", "pull", "Nature", "Brook"], input: .terminal(screen.terminal),
            errors: .terminal(screen.terminal))
        try screen.wait(for: "Downloading Nature")
        try fixture.home.wait(for: 200_000, in: "data/synthhost/models")
        screen.terminal.type("\u{3}")
        let stopped = try screen.finish(process)
        #expect(stopped.code == 130)
        #expect(screen.text.contains("200 kB of 300 kB was kept"), "\(screen.text)")
        #expect(screen.text.contains("synthhost models pull Nature Brook"))
        #expect(fixture.stored(".part").count == 1)
        let again = try fixture.home.run("models", "pull", "Nature", "Brook")
        #expect(again.code == 0, "\(again.errors)")
        #expect(fixture.server.requests.contains { $0.range?.first == 200_000 })
    }

    @Test(
        "If a voice needs an engine that is not installed, the error names the engine",
        arguments: ["models pull", "speak -v"])
    func missingEngine(command: String) throws {
        let fixture = try RegistryFixture()
        try fixture.home.write(
            """
            {"voices":[{"id":"hn_1","engine":"harmonium","name":"Reedy","language":"en",
              "files":[{"role":"pitch","url":"\(fixture.server.base)x","size":1,"sha256":"\(String(repeating: "0", count: 64))"}]}]}
            """, to: "data/synthhost/models.json")
        let result = try fixture.home.run(command.split(separator: " ").map(String.init) + ["Reedy"])
        #expect(result.code == 69)
        #expect(result.errors.contains("The voice Reedy needs the engine harmonium, which is not installed."))
        #expect(fixture.asked.isEmpty)
    }

    @Test(
        "Insufficient disk space is reported before the first byte; with enough space, the download succeeds",
        .enabled(if: Namespace.works))
    func diskFull() throws {
        let fixture = try RegistryFixture(nature: RegistryFixture.pitch(330, size: 3_000_000))
        try fixture.home.write("", to: "data/synthhost/models/.keep")
        let pulled = try Namespace.run(
            "mount -t tmpfs -o size=1m none '\(fixture.home.file("data/synthhost/models"))' && "
                + "exec '\(BuildFolder.withoutNeuralEngines)/synthhost' models pull Nature", fixture.home)
        #expect(pulled.code == 74, "\(pulled.errors)")
        #expect(pulled.errors.contains("Nature (British) needs 3.0 MB"), "\(pulled.errors)")
        #expect(pulled.errors.contains("more is needed"))
        #expect(pulled.errors.contains("synthhost models prune"))
        #expect(fixture.asked.isEmpty)
        let again = try fixture.home.run("models", "pull", "Nature")
        #expect(again.code == 0, "\(again.errors)")
    }
}
