import EngineProcesses
import EngineWire
import SpeechEngines
import Testing
import TestSupport

@Suite("The environment of a worker", .ownThreads)
struct VariablesTests {
    private static let given = [
        "HOME": "/home/ann", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "C", "TZ": "Europe/Berlin", "OMP_NUM_THREADS": "2",
        "ESPEAK_DATA_PATH": "/data", "XDG_CACHE_HOME": "/cache", "WISHED_FOR": "yes", "SERVICE_TOKEN": "secret",
        "SYNTHHOST_HTTP_TOKEN": "secret", "SSH_AUTH_SOCK": "/secret", "PATH": "/bin", "XDG_RUNTIME_DIR": "/run/ann",
        "LD_API_KEY": "secret", "MAIL": "/mail", "lc_all": "C",
    ]

    private func heard(asking choices: [String] = []) throws -> [String: String] {
        let fixture = try EngineFixture()
        var program = fixture.program
        program.environment = Self.given
        let path = try fixture.makeEngine(choices, from: "curious", named: "curious")
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        let lines = LogLines()
        let engine = Engine(
            file: path, description: description, program: program, limits: .short(), onLog: { lines.add($0, $1) })
        _ = try engine.openLane(on: LoadRequest(id: "one"))
        let entries = try #require(lines.wait(until: "info that is all")).map { $0.dropFirst("info ".count) }
        return Dictionary(
            entries.map { entry in
                let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
    }

    @Test("is what every engine gets and what its description names, but no secret")
    func list() throws {
        let heard = try heard()
        let own = ["SWIFT_BACKTRACE", "GLIBC_TUNABLES", "LD_LIBRARY_PATH"]
        #expect(
            heard.filter { !own.contains($0.key) } == [
                // Of the user's own there is nothing to be found.
                "HOME": "/", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "C", "TZ": "Europe/Berlin",
                "OMP_NUM_THREADS": "2", "ESPEAK_DATA_PATH": "/data", "XDG_CACHE_HOME": "/cache", "WISHED_FOR": "yes",
            ])
    }

    @Test("has no variable that nobody asked for")
    func unasked() throws {
        #expect(try heard(asking: ["ASKED=\"TZ\""])["WISHED_FOR"] == nil)
    }

    @Test(
        "a name that is none is refused", arguments: ["1ST", "A-B", "A=B", "a"])
    func names(name: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["ASKED=\"\(name)\""], from: "curious", named: "curious")
        let failure = #expect(throws: EngineFailure.self) {
            try EngineFile(path: path).describe(by: fixture.program, limits: .short())
        }
        let reason = try #require(failure?.reason)
        let flaw = DescriptionFlaw.forbiddenCharacters(name, in: DescriptionField(.variableName))
        #expect(Fault.refusal(.description(flaw))(reason))
    }
}
