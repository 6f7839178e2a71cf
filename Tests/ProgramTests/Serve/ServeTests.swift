import CommandSupport
import Foundation
import Glibc
import SynthSystem
import Testing
import TestSupport

@testable import SynthWyoming

@Suite("A user's service", .ownThreads)
struct ServeTests {
    private static let text = "Three words here. And then a second sentence, which is longer than the first one."

    /// A home folder that contains a folder for sockets.
    private func home() throws -> (home: UserHome, variables: [String: String?]) {
        let home = try UserHome()
        return (home, ["XDG_RUNTIME_DIR": home.path])
    }

    private func serving<Result>(
        _ home: UserHome, _ variables: [String: String?],
        _ body: (ChildProcess) throws -> Result
    ) throws -> Result {
        // Run the program once, so that the scan cache contains the build's engines.
        #expect(try home.run("--version").code == 0)
        let service = try home.start(["serve"], adding: variables)
        try service.waitForErrors("Listening on unix:", within: .seconds(600))
        do {
            let result = try body(service)
            service.signal(SIGTERM)
            #expect(try service.finish().code == 0)
            return result
        } catch {
            service.signal(SIGKILL)
            throw error
        }
    }

    @Test("The service lists environment variables that are set and that its engines request but that are withheld")
    func withheld() throws {
        let (home, variables) = try home()
        try home.install("curious", ["ASKED=\"CLOUDY_REGION\", \"CLOUDY_UNSET\""])
        try home.install("sentry", ["ASKED=\"CLOUDY_REGION\""])
        try serving(home, variables.merging(["CLOUDY_REGION": "north"]) { $1 }) { service in
            for plugin in ["engine curious", "recognizer sentry"] {
                try service.waitForErrors(
                    "The \(plugin) requests the variable CLOUDY_REGION, which is set but not allowed. ",
                    within: .seconds(300))
            }
            #expect(!String(decoding: service.errors, as: UTF8.self).contains("CLOUDY_UNSET"))
        }
    }

    @Test(
        "`speak` and `play` produce the same results with and without the service",
        arguments: [
            ["speak", "-e", "tone", text], ["speak", "-e", "espeak-ng", "-v", "en-us", text],
            ["speak", "-e", "tone", "--rate", "1.5", "--json", "-q", text],
            ["speak", "-e", "tone", "--ssml", "<speak>One <break time='100ms'/> two <mark name='m'/> three.</speak>"],
            ["speak", "-e", "reed", "-v", "duo", "--speaker", "Far", "Hello"], ["play", "text.txt"],
        ])
    func same(_ words: [String]) throws {
        let (home, variables) = try home()
        try home.install("reed")
        try home.write(Self.text, to: "text.txt")
        let words = words.map { $0 == "text.txt" ? home.file($0) : $0 } + ["-o", home.file("x.wav")]
        let alone = try home.run(words)
        let sound = try? home.data("x.wav")
        try? FileManager.default.removeItem(atPath: home.file("x.wav"))
        try serving(home, variables) { service in
            let served = try home.run(words, adding: variables)
            #expect(served.code == alone.code && served.errors == alone.errors && served.output == alone.output)
            #expect((try? home.data("x.wav")) == sound)
            let told = try home.run(words.filter { $0 != "-q" } + ["--verbose"], adding: variables)
            #expect(told.errors.contains("Speaking through the service at \(home.path)/synthhost/socket."))
        }
    }

    @Test("A program with a different environment does not use the service")
    func different() throws {
        let (home, variables) = try home()
        try serving(home, variables) { _ in
            let words = ["speak", "-e", "tone", "--verbose", "-o", home.file("x.wav"), "Hello"]
            let other = try home.run(words, adding: variables.merging(["ESPEAK_DATA_PATH": "/nowhere"]) { $1 })
            #expect(other.code == 0 && other.errors.contains("(ESPEAK_DATA_PATH=/nowhere)"))
            #expect(!other.errors.contains("Speaking through the service"))
        }
    }

    @Test("If the service is killed, the program finishes without it and produces the same audio")
    func killed() throws {
        let (home, variables) = try home()
        let text = String(repeating: "One sentence after the other. ", count: 400)
        #expect(try home.run("speak", "-e", "tone", "--raw", "-q", text).code == 0)
        let alone = try home.run("speak", "-e", "tone", "--raw", "-q", text)
        let service = try home.start(["serve"], adding: variables)
        try service.waitForErrors("Listening on unix:", within: .seconds(600))
        let client = try home.start(["speak", "-e", "tone", "--raw", "--verbose"], adding: variables, input: .pipe)
        try client.feed(Array(text.prefix(3000).utf8))
        try client.waitForOutput(count: 20_000, within: .seconds(600))
        service.signal(SIGKILL)
        try client.feed(Array(text.dropFirst(3000).utf8))
        client.closeInput()
        let result = try client.finish()
        #expect(result.code == 0 && result.output == alone.output)
        #expect(result.errors.contains("has exited; this program continues without it."))
        // The stale socket does not prevent a restart.
        let again = try serving(home, variables) { _ in
            try home.run("speak", "-e", "tone", "--raw", "-q", text, adding: variables)
        }
        #expect(again.output == alone.output)
    }

    @Test("A service suspended by a signal is abandoned, but a busy service gets more time")
    func stopped() throws {
        let (home, variables) = try home()
        try serving(home, variables) { service in
            service.signal(SIGSTOP)
            defer { service.signal(SIGCONT) }
            let stream = try SocketStream(to: .unix("\(home.path)/synthhost/socket"))
            let connection = WyomingConnection(stream, longestData: 1 << 20, timeout: .seconds(60))
            #expect(throws: SocketError.self) { try connection.nextOfService(within: .seconds(36_000)) }
            let words = ["speak", "-e", "tone", "--verbose", "-o", home.file("x.wav"), "Hello"]
            let spoken = try home.run(words, adding: variables)
            #expect(spoken.code == 0 && !spoken.errors.contains("Speaking through the service") && home.exists("x.wav"))
        }
    }

    @Test("A plain file at the socket's path is not mistaken for another service")
    func plainFile() throws {
        let (home, variables) = try home()
        try home.write("mine", to: "synthhost/socket")
        let refused = try home.start(["serve"], adding: variables).finish()
        #expect(refused.code == 69 && refused.errors.contains("a file with this name exists and is not a socket"))
        #expect(!refused.errors.contains("already"))
        let other = try home.start(["serve", "--wyoming", "tcp://127.0.0.1:0"], adding: variables)
        try other.waitForErrors("Listening on tcp:", within: .seconds(600))
        other.signal(SIGTERM)
        #expect(try other.finish().code == 0)
        #expect(
            String(decoding: other.errors, as: UTF8.self).contains("a file with this name exists and is not a socket"))
        #expect(try home.data("synthhost/socket").elementsEqual("mine".utf8))
    }

    @Test("The configuration is reloaded on request, but the old one stays in effect if the new one has an error")
    func reload() throws {
        let (home, variables) = try home()
        try serving(home, variables) { service in
            try home.write("{\"rate\": 2}", to: "config/synthhost/config.json")
            service.signal(SIGHUP)
            try service.waitForErrors("Reloaded the configuration.", within: .seconds(600))
            try home.write("{\"rate\": \"quick\"}", to: "config/synthhost/config.json")
            service.signal(SIGHUP)
            try service.waitForErrors("The previous configuration remains in use.", within: .seconds(600))
        }
    }

    @Test("Each user has a single service, and if it is not running, the error tells the user what to type")
    func one() throws {
        let (home, variables) = try home()
        let none = try home.run(["serve", "--status"], adding: variables)
        #expect(none.code == 69 && none.errors.contains("synthhost serve"))
        let nowhere = try home.run("serve")
        #expect(nowhere.code == 64 && nowhere.errors.contains("XDG_RUNTIME_DIR"))
        try serving(home, variables) { _ in
            let second = try home.run(["serve"], adding: variables)
            #expect(second.code == 69 && second.errors.contains("serve --status"))
            let words = ["speak", "-e", "tone", "-q", "-o", home.file("x.wav"), "Hello"]
            #expect(try home.run(words, adding: variables).code == 0)
            let status = try home.run(["serve", "--status"], adding: variables)
            let text = String(decoding: status.output, as: UTF8.self)
            #expect(status.code == 0 && text.contains("Utterances: 1 spoken, 0 cancelled, 0 failed"))
            #expect(text.contains("Speech requests: 0 playing, 0 waiting."))
            #expect(text.contains("  tone: "))
            let json = try home.run(["serve", "--status", "--json"], adding: variables)
            let object = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
            #expect(object?["uptime"] is Double && (object?["models"] as? [Any])?.count == 1)
        }
        #expect(!home.exists("synthhost/socket"))
    }
}
