import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("--offline", .ownThreads)
struct OfflineTests {
    @Test("Installed voices speak, and missing ones are reported immediately", arguments: [true, false])
    func offline(byFlag: Bool) throws {
        let fixture = try RegistryFixture()
        #expect(try fixture.home.run("models", "pull", "Nature").code == 0)
        let asked = fixture.asked
        func run(_ words: String...) throws -> ChildResult {
            try fixture.home.run(
                words + (byFlag ? ["--offline"] : []), adding: byFlag ? [:] : ["SYNTHHOST_OFFLINE": "1"])
        }
        let spoken = try run("speak", "-v", "Nature", "hello", "-o", fixture.home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        let other = try run("speak", "-v", "Brook", "--yes", "hello", "-o", fixture.home.file("b.wav"))
        #expect(other.code == 69)
        #expect(other.errors.contains("synthhost models pull Brook"))
        let pulled = try run("models", "pull", "Brook")
        #expect(pulled.code == 75)
        #expect(pulled.errors.contains("offline"))
        #expect(fixture.asked == asked)
    }

    @Test("A missing network connection is reported clearly and immediately", .enabled(if: Namespace.works))
    func noNetwork() throws {
        let home = try UserHome()
        let file: [String: Any] = [
            "role": "pitch", "url": "https://voices.invalid/x.pitch", "size": 1_000,
            "sha256": String(repeating: "a", count: 64),
        ]
        let voice: [String: Any] = [
            "id": "far", "engine": "tone", "name": "Far", "language": "en-US", "files": [file],
        ]
        try home.write(
            Array(try JSONSerialization.data(withJSONObject: ["voices": [voice]])), to: "data/synthhost/models.json")
        let pull = "'\(home.programs)/synthhost' models pull Far --json"
        let pulled = try Namespace.run("unshare -n \(pull)", home)
        #expect(pulled.code == 75)
        #expect(pulled.errors.contains("this machine has no network connection"), "\(pulled.errors)")
        #expect(!pulled.errors.contains("trying again"))
        #expect(!home.exists("data/synthhost/models/far"))
    }

    @Test(
        "No network socket is opened, and no download process is started", .enabled(if: strace),
        .disabled(if: Sanitizer.isAddress, "LeakSanitizer does not support traced processes."))
    func noSocket() throws {
        let fixture = try RegistryFixture()
        for words in [["speak", "-v", "Brook", "--yes", "hi"], ["models", "pull", "Brook"], ["setup", "--yes"]] {
            let trace = fixture.home.file("trace-\(words[0])")
            let result = try ChildProcess(
                "/usr/bin/env",
                arguments: ([
                    "strace", "-f", "-e", "trace=socket,execve", "-o", trace,
                    "\(BuildFolder.withoutNeuralEngines)/synthhost",
                ]
                    + words + ["--offline"]).map { Array($0.utf8) }, environment: fixture.home.environment
            ).finish()
            #expect(result.code == 69 || result.code == 75, "\(result.errors)")
            let calls = try String(contentsOfFile: trace, encoding: .utf8)
            #expect(calls.contains("execve"))
            #expect(!calls.contains("AF_INET"))
            #expect(!calls.contains("synthhost-fetch"))
        }
    }

    private static let strace: Bool = {
        guard let home = try? UserHome() else { return false }
        let result = try? ChildProcess(
            "/usr/bin/env", arguments: ["strace", "-o", home.file("t"), "true"].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
        return result?.code == 0
    }()
}
