import CommandSupport
import Foundation
import Glibc
import SynthSystem
import Testing
import TestSupport

@Suite("A service over HTTP", .ownThreads)
struct ServeHTTPTests {
    /// A running service, with the port and the token from its link.
    private struct Served {
        let process: ChildProcess
        let port: UInt16
        let token: String

        /// Sends a request whose response ends when the connection closes, and returns the status line and everything after
        /// it.
        func ask(
            _ method: String, _ path: String, body: String = "", token: String? = nil, host: String = "127.0.0.1"
        ) throws -> String {
            let stream = try SocketStream(to: .tcp(host: "127.0.0.1", port: port))
            let key = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            let head =
                "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\(key)"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            try stream.write(Array((head + body).utf8), within: .seconds(600))
            var all: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = try stream.read(into: &bytes, within: .seconds(600))
                if count == 0 { return String(decoding: all, as: UTF8.self) }
                all += bytes[..<count]
            }
        }
    }

    private func serving<Value>(
        _ home: UserHome, at address: String = "127.0.0.1:0", _ options: [String] = [],
        adding variables: [String: String?] = [:],
        _ body: (Served) throws -> Value
    ) throws -> Value {
        // Run the program once, so that the scan cache contains the build's engines.
        #expect(try home.run("--version").code == 0)
        let process = try home.start(["serve", "--http", address] + options, adding: variables)
        do {
            try process.wait("the link") { Self.link($0).contains("\n") }
            let parts = Self.link(process).prefix { !$0.isWhitespace }.components(separatedBy: "/#token=")
            let port = try #require(parts.first.flatMap { UInt16($0) })
            let value = try body(Served(process: process, port: port, token: parts.last ?? ""))
            process.signal(SIGTERM)
            #expect(try process.finish().code == 0)
            return value
        } catch {
            process.signal(SIGKILL)
            throw error
        }
    }

    /// The service's output, starting at the port in its link.
    private static func link(_ process: ChildProcess) -> Substring {
        let said = String(decoding: process.errors, as: UTF8.self)
        return said.range(of: "http://127.0.0.1:").map { said[$0.upperBound...] } ?? ""
    }

    @Test("A service for other devices prints a link with this machine's address, and accepts its host names")
    func elsewhere() throws {
        let home = try UserHome()
        #expect(!OwnHost.names.isEmpty)
        try serving(home, at: "0.0.0.0:0") { served in
            for name in OwnHost.names {
                #expect(try served.ask("GET", "/v1/models", token: served.token, host: name).contains(" 200 "))
                #expect(try served.ask("GET", "/v1/models", host: name).contains(" 401 "))
            }
            #expect(try served.ask("GET", "/v1/models", token: served.token, host: "example.org").contains(" 421 "))
            if OwnHost.address != nil { try served.process.waitForErrors("On another device in this network, open ") }
            let errors = String(decoding: served.process.errors, as: UTF8.self)
            let links = OwnHost.address.map { "open http://\($0):\(served.port)/#token=" }
            #expect(errors.contains("On another device") == (links != nil), "\(errors)")
            #expect(errors.contains(links ?? "open http://127.0.0.1:"), "\(errors)")
            if let address = OwnHost.address { _ = try SocketStream(to: .tcp(host: address, port: served.port)) }
        }
        // A server without a required token accepts no names, which DNS could resolve to this machine.
        try serving(home) { served in
            for name in OwnHost.names {
                let answer = try served.ask("GET", "/v1/models", host: name)
                #expect(answer.contains(" 421 "))
            }
        }
    }

    @Test("The service stores a token for this user and reuses it after a restart")
    func token() throws {
        let home = try UserHome()
        let first = try serving(home) { served in
            #expect(try served.ask("GET", "/health").hasPrefix("HTTP/1.1 200"))
            #expect(try served.ask("POST", "/api/session").hasPrefix("HTTP/1.1 401"))
            let session = try served.ask("POST", "/api/session", token: served.token)
            #expect(session.hasPrefix("HTTP/1.1 204") && session.contains("HttpOnly"))
            return served.token
        }
        #expect(first.count == 64)
        #expect(try home.data("state/synthhost/http-token").elementsEqual("\(first)\n".utf8))
        #expect(try serving(home) { $0.token } == first)
    }

    @Test("An invalid speech request is rejected, and the error includes the reason and the valid choices")
    func wrongCalls() throws {
        let home = try UserHome()
        try serving(home) { served in
            for (body, status, words) in [
                (#"{"input": "...", "voice": "Sine"}"#, 400, "The text contains nothing to speak."),
                (
                    #"{"input": "a", "sped": 2}"#, 400,
                    "\"sped\" is not a field of this request. Its fields are input, model,"
                ),
                (#"{"input": "a", "model": "tts-9"}"#, 404, "No speech model is called \"tts-9\". Use tts-1 for"),
                (#"{"input": "a", "speed": "fast"}"#, 400, "\"speed\" must be a number from 0.25 to 4.0."),
            ] {
                let answer = try served.ask("POST", "/v1/audio/speech", body: body)
                #expect(
                    answer.hasPrefix("HTTP/1.1 \(status)") && answer.contains(words.replacing("\"", with: #"\""#)),
                    "\(answer)")
            }
        }
    }

    @Test("The token can be provided in a file or in an environment variable")
    func given() throws {
        let home = try UserHome()
        try home.write("the-token-of-a-file\n", to: "token")
        chmod(home.file("token"), 0o600)
        let variables = ["SYNTHHOST_HTTP_TOKEN": "the-token-of-a-variable"]
        #expect(try serving(home, adding: variables) { $0.token } == "the-token-of-a-variable")
        let options = ["--http-token-file", home.file("token")]
        #expect(try serving(home, options, adding: variables) { $0.token } == "the-token-of-a-file")
        #expect(!home.exists("state/synthhost/http-token"))
    }

    @Test("The service does not start if the token is invalid or its file can be read by other users")
    func refused() throws {
        let home = try UserHome()
        try home.write("short", to: "token")
        chmod(home.file("token"), 0o600)
        func fail(_ options: [String], _ variables: [String: String?], _ code: Int32, _ words: String) throws {
            let process = try home.start(["serve", "--http", "127.0.0.1:0"] + options, adding: variables)
            let result = try process.finish()
            #expect(result.code == code && result.errors.contains(words), "\(result.errors)")
        }
        try fail(["--http-token-file", home.file("token")], [:], 64, "contains no valid token")
        try fail(["--http-token-file", home.file("none")], [:], 1, "Cannot use the token file")
        try fail(
            [], ["SYNTHHOST_HTTP_TOKEN": "two words of a secret"], 64, "The token in SYNTHHOST_HTTP_TOKEN is invalid.")
        try home.write("0123456789abcdef0123456789abcdef", to: "state/synthhost/http-token")
        chmod(home.file("state/synthhost/http-token"), 0o644)
        try fail([], [:], 1, "Other users can read the token in")
        try home.write("the-token-of-a-file\n", to: "token")
        chmod(home.file("token"), 0o644)
        try fail(["--http-token-file", home.file("token")], [:], 1, "Other users can read the token in")
    }

    @Test("A voice can be downloaded and selected, and a reloaded configuration takes effect")
    func voices() throws {
        let fixture = try RegistryFixture()
        try serving(fixture.home) { served in
            func chosen() throws -> Bool {
                try served.ask("GET", "/api/voices").contains(#""chosen":"tone/nature_1""#)
            }
            let key = #"{"key":"tone/nature_1"}"#
            #expect(try served.ask("POST", "/api/downloads", body: key, token: served.token).contains(" 202 "))
            let stream = try SocketStream(to: .tcp(host: "127.0.0.1", port: served.port))
            try stream.write(
                Array("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n".utf8), within: .seconds(600))
            var events = ""
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while !Self.isReady("nature_1", events) {
                let count = try stream.read(into: &bytes, within: .seconds(600))
                try #require(count > 0)
                events += String(decoding: bytes[..<count], as: UTF8.self)
            }
            #expect(try !chosen())
            #expect(try served.ask("PUT", "/api/chosen", body: key, token: served.token).contains(" 200 "))
            #expect(try chosen() && fixture.configured("voices.tone") == "Nature")
            try fixture.home.write("{}", to: "config/synthhost/config.json")
            served.process.signal(SIGHUP)
            try served.process.waitForErrors("Reloaded the configuration.")
            #expect(try !chosen())
        }
    }

    @Test("The service exits promptly even if a page is listening for events")
    func drain() throws {
        let home = try UserHome()
        // The drain timeout is longer than the time that the test waits.
        let end = try serving(home, ["--drain", "3000"]) { served in
            let stream = try SocketStream(to: .tcp(host: "127.0.0.1", port: served.port))
            try stream.write(
                Array("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n".utf8), within: .seconds(600))
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            #expect(try stream.read(into: &bytes, within: .seconds(600)) > 0)
            return stream
        }
        end.stop()
    }

    private static func isReady(_ id: String, _ events: String) -> Bool {
        events.split(separator: "\n").contains { line in
            line.split(separator: #"{"key":""#).contains {
                $0.hasPrefix("tone/\(id)\"") && $0.contains(#""state":"ready""#)
            }
        }
    }
}
