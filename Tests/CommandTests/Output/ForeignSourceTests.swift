import CommandSupport
import Foundation
import SynthSystem
import SynthTerminal
import Testing
import TestSupport

/// Sends malicious text through the complete program, along the same paths as in real use.
@Suite("Text from a malicious source", .ownThreads)
struct ForeignSourceTests {
    private static let name = "a\u{1B}[31mb\u{7}\nsynthhost: forged\u{202E}c\u{2028}\u{9B}2Jd"

    /// Checks that no output contains terminal control sequences, and that no line looks like an additional message.
    private func check(_ result: ChildResult, code: Int32, messages: Int = 1) {
        #expect(result.code == code, "\(result.errors)")
        let text = result.errors + result.text
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.steersTerminal }, "\(text.debugDescription)")
        #expect(
            text.split(separator: "\n").count { $0.hasPrefix("synthhost: ") } == messages, "\(text.debugDescription)")
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("synthhost: forged") })
    }

    @Test(
        "Malicious file names of plugins are harmless",
        arguments: [["engines", "list"], ["engines", "list", "--json"], ["doctor"]])
    func plugin(arguments: [String]) throws {
        let home = try UserHome()
        try home.write("no engine", to: "data/synthhost/plugins/\(Self.name).so")
        let result = try home.run(arguments)
        // The doctor fails because this machine has no sound device.
        check(result, code: arguments == ["doctor"] ? 1 : 0, messages: 0)
        if !arguments.contains("--json") { #expect(result.text.contains("forged") || arguments == ["doctor"]) }
    }

    @Test("Malicious keys in the configuration are harmless")
    func configuration() throws {
        let home = try UserHome()
        let key = try #require(String(data: JSONEncoder().encode(Self.name), encoding: .utf8))
        try home.write("{\(key): 1}", to: "config/synthhost/config.json")
        check(try home.run("speak", "Hi", "-o", home.file("x.wav")), code: 78)
        check(try home.run("config", "show"), code: 78)
    }

    @Test("Malicious arguments on the command line are harmless")
    func words() throws {
        let home = try UserHome()
        check(try home.run("speak", "-v", Self.name, "Hi", "-o", home.file("x.wav")), code: 69)
        check(try home.run(Self.name), code: 64)
        check(try home.run("speak", "-f", home.file(Self.name), "-o", home.file("x.wav")), code: 66)
        check(try home.run("speak", "Hi", "-o", home.file("nowhere/\(Self.name)/x.wav")), code: 73)
        check(try home.run("models", "pull", Self.name), code: 69)
    }

    @Test("Malicious server responses are harmless")
    func server() throws {
        let fixture = try RegistryFixture { request, _ in
            var answer = LoopbackServer.Answer(status: 200, body: Array("nothing".utf8))
            answer.fields["Content-Encoding"] = "x\u{1B}[2Jy\u{7}"
            answer.fields["ETag"] = "\"\u{1B}]0;title\u{7}\""
            return answer
        }
        let result = try fixture.home.run("models", "pull", "Brook")
        #expect(result.code != 0)
        check(result, code: result.code ?? -1)
    }

    @Test("Malicious names and descriptions in a registry are harmless")
    func registry() throws {
        let home = try UserHome()
        let voice: [String: Any] = [
            "id": "evil_1", "engine": "tone", "name": Self.name, "language": "en-US", "accent": Self.name, "starter": 1,
            "recommended": true,
            "files": [
                [
                    "role": "pitch", "url": "http://127.0.0.1:9/x", "size": 3,
                    "sha256": String(repeating: "0", count: 64),
                ]
            ],
        ]
        let data = try JSONSerialization.data(withJSONObject: ["voices": [voice]])
        try home.write(Array(data), to: "data/synthhost/models.json")
        for arguments in [
            ["voices", "--all"], ["voices", "--json", "--all"], ["models", "pull", "evil_1"], ["setup", "--yes"],
        ] {
            let result = try home.run(arguments)
            check(result, code: result.code ?? -1, messages: result.code == 0 || arguments.contains("--json") ? 0 : 1)
        }
    }

    @Test("Malicious file names in archives are harmless")
    func archive() throws {
        let home = try UserHome()
        try home.write("440", to: "in/\(Self.name).pitch")
        let packed = try ChildProcess(
            "/usr/bin/env",
            arguments: ["tar", "-C", home.file("in"), "-cf", home.file("voice.tar"), "."].map { Array($0.utf8) },
            environment: home.environment)
        try #require(try packed.finish().code == 0)
        let result = try home.run("models", "add", home.file("voice.tar"), "-e", "tone", "-l", "en")
        check(result, code: result.code ?? -1, messages: result.code == 0 ? 0 : 1)
    }

    @Test("Malicious names of libraries that an engine requires are harmless")
    func library() throws {
        let home = try UserHome()
        try FileManager.default.createDirectory(atPath: home.plugins, withIntermediateDirectories: true)
        try home.write("void nothing(void) {}", to: "empty.c")
        let strange = home.file("lib\u{1B}[31mx\u{7}.so")
        for arguments in [
            [
                "cc", "-shared", "-fPIC", "-o", strange, "-Wl,-soname,lib\u{1B}[31m\nsynthhost: forged.so",
                home.file("empty.c"),
            ],
            [
                "cc", "-shared", "-fPIC", "-o", "\(home.plugins)/needy.so", "-Wl,--no-as-needed", home.file("empty.c"),
                strange,
            ],
        ] {
            let compiler = try ChildProcess(
                "/usr/bin/env", arguments: arguments.map { Array($0.utf8) }, environment: home.environment)
            let result = try compiler.finish()
            try #require(result.code == 0, "\(result.errors)")
        }
        let result = try home.run("engines", "list")
        check(result, code: 0, messages: 0)
        #expect(result.text.contains("needs the library lib"))
    }
}
