import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

@Suite("A worker's environment", .ownThreads)
struct VariablesTests {
    private static let given = [
        "HOME": "/home/ann", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "C", "TZ": "Europe/Berlin", "OMP_NUM_THREADS": "2",
        "ESPEAK_DATA_PATH": "/data", "XDG_CACHE_HOME": "/cache", "WISHED_FOR": "yes", "SERVICE_TOKEN": "secret",
        "SYNTHHOST_HTTP_TOKEN": "secret", "SSH_AUTH_SOCK": "/secret", "PATH": "/bin", "XDG_RUNTIME_DIR": "/run/ann",
        "LD_API_KEY": "secret", "MAIL": "/mail", "lc_all": "C", "SYNTHHOST_PRECISION": "fast",
        "SWIFT_MYTOKEN": "secret", "OMP_PAT": "secret", "LC_SESSION": "secret",
        "MY_DATA_PATH": "https://me:secret@host/data",
        "ORT_URL": "postgres://me:secret@host", "KMP_X": "ghp_0123456789abcdefghij0123",
    ]
    /// The variables that all engines get. They do not reveal the user's folders.
    private static let harmless = [
        "HOME": "/", "LANG": "de_DE.UTF-8", "LC_NUMERIC": "C", "TZ": "Europe/Berlin", "OMP_NUM_THREADS": "2",
        "ESPEAK_DATA_PATH": "/data", "XDG_CACHE_HOME": "/cache", "SYNTHHOST_PRECISION": "fast",
    ]

    private func heard(
        asking choices: [String] = [], _ given: [String: String] = given, allowing allowed: [EngineNeed.Kind] = [],
        replacing: Bool = false
    ) throws -> [String: String] {
        let fixture = try EngineFixture()
        var program = fixture.program
        program.environment = given
        let path = try fixture.makeEngine(choices, from: "curious", named: "curious")
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        let lines = LogLines()
        let engine = Engine(
            file: path, description: description, program: program, limits: .short(), allowing: allowed,
            onLog: { lines.add($0, $1) })
        if replacing { try fixture.makeEngine(choices + ["NEWER"], from: "curious", named: "curious") }
        _ = try engine.openLane(on: LoadRequest(id: "one"))
        let entries = try #require(lines.wait(until: "info that is all")).map { $0.dropFirst("info ".count) }
        let variables = Dictionary(
            entries.map { entry in
                let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }, uniquingKeysWith: { $1 })
        return variables.filter { !["SWIFT_BACKTRACE", "GLIBC_TUNABLES", "LD_LIBRARY_PATH"].contains($0.key) }
    }

    @Test("A worker receives only harmless variables, regardless of what the engine requests")
    func list() throws { #expect(try heard() == Self.harmless) }

    @Test("A variable that the engine requests and the user allows by name reaches the engine, even if it is a secret")
    func allowed() throws {
        let allowed: [EngineNeed.Kind] = [
            .variable("WISHED_FOR"), .variable("SERVICE_TOKEN"), .variable("MAIL"), .network,
        ]
        let wanted = Self.harmless.merging(["WISHED_FOR": "yes", "SERVICE_TOKEN": "secret"]) { $1 }
        #expect(try heard(allowing: allowed) == wanted)
        #expect(try heard(asking: ["ASKED=\"TZ\""], allowing: allowed) == Self.harmless)
    }

    @Test("A file that replaces the engine does not receive any of the variables allowed for that engine")
    func replaced() throws {
        #expect(try heard(allowing: [.variable("WISHED_FOR")], replacing: true) == Self.harmless)
    }

    @Test(
        "Common secrets are never passed on",
        arguments: [
            ("PGPASSWORD", "x"), ("MYSQL_PWD", "x"), ("OPENAI_APIKEY", "x"), ("APIKEY", "x"), ("GITHUB_PAT", "x"),
            ("MYTOKEN", "x"),
            ("BEARER", "x"), ("RESTIC_PASSWORD2", "x"), ("DATABASE_URL", "postgres://me:secret@db/x"),
            ("HTTPS_PROXY", "http://me:secret@proxy:3128"),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"),
            ("AWS_SECRET_ACCESS_KEY", "x"), ("XDG_SESSION_COOKIE", "x"), ("NETRC", "/home/ann/.netrc"), ("A", "x"),
        ])
    func secret(name: String, value: String) throws {
        let given = ["LANG": "C", name: value]
        #expect(try heard(asking: ["ASKED=\"\(name)\""], given) == ["HOME": "/", "LANG": "C"])
        #expect(EngineVariables.withheld([name, "LANG"], from: given, allowed: []) == [name])
        #expect(EngineVariables.withheld([name], from: given, allowed: [name]).isEmpty)
        #expect(EngineVariables.withheld([name], from: [:], allowed: []).isEmpty)
    }

    @Test(
        "Names and values that look like secrets are recognized",
        arguments: [
            ("MYTOKEN", "", true), ("X_PAT", "", true), ("GHPAT2", "", true), ("LD_LIBRARY_PATH", "", false),
            ("ESPEAK_DATA_PATH", "/usr/share", false), ("OMP_PLACES", "{0:4},{4:4}", false),
            ("KMP_AFFINITY", "granularity=fine,compact,1,0", false),
            ("ASAN_OPTIONS", "log_path=/tmp/x:halt_on_error=1", false),
            ("LD_LIBRARY_PATH", "/nix/store/0c7nk2bvm4hpnbxs0pll4rmk2q4qrb8q-gcc-12.3.0/lib:/gnu/store/x", false),
            ("TMPDIR", "/tmp/home-8F14E45F-CEEA-467A-9F3E-0123456789AB", false), ("X", "https://ann@host/path", true),
            ("X", "https://host/path", false), ("X", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", true),
            ("X", "0123456789abcdef0123456789abcdef", true), ("X", "Bearer sk-0123456789abcdef", true),
        ])
    func signs(name: String, value: String, isSecret: Bool) {
        #expect((SecretSigns.isSecret(name: name) || SecretSigns.isSecret(value)) == isSecret)
    }

    @Test("The engine's error message names any variable that is set but was withheld")
    func missed() throws {
        let fixture = try EngineFixture()
        var program = fixture.program
        program.environment = ["WISHED_FOR": "yes"]
        let path = try fixture.makeEngine(["REPORTS=\"WISHED_FOR\""], from: "curious", named: "curious")
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        func failure(_ allowed: [EngineNeed.Kind]) -> EngineFailure? {
            let engine = Engine(
                file: path, description: description, program: program, limits: .short(), allowing: allowed)
            return #expect(throws: EngineFailure.self) { try engine.openLane(on: LoadRequest(id: "one")) }
        }
        let refused = failure([])
        #expect(refused?.missed == [EngineNeed(.variable("WISHED_FOR"), reason: "")])
        let allowed = failure([.variable("WISHED_FOR")])
        #expect(allowed?.missed == [] && allowed?.reason == .reported(EngineError(.failed, "yes")))
    }

    @Test(
        "An invalid variable name is rejected", arguments: ["1ST", "A-B", "A=B", "a"])
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
