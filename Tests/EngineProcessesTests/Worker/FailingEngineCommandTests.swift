import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("The command line when engines fail", .ownThreads)
struct FailingEngineCommandTests {
    private static func synthhost(
        _ fixture: EngineFixture, _ arguments: [String], idleSeconds: Int = 3600
    ) throws -> ChildResult {
        // The limits are written to the configuration file, as a user would write them.
        let configuration = "\(fixture.folder)/config.json"
        let limits = #"{"scanSeconds": 3600, "loadSeconds": 3600, "idleSeconds": \#(idleSeconds)}"#
        try #"{"limits": \#(limits)}"#.write(toFile: configuration, atomically: true, encoding: .utf8)
        let own = [
            "HOME": fixture.folder, "XDG_DATA_HOME": "\(fixture.folder)/data",
            "XDG_CACHE_HOME": "\(fixture.folder)/cache", "XDG_STATE_HOME": "\(fixture.folder)/state",
            "XDG_CONFIG_HOME": "\(fixture.folder)/config",
        ]
        return try RunningCommand(
            arguments + ["--plugins-dir", fixture.plugins, "--config", configuration],
            environment: ProcessInfo.processInfo.environment.merging(own) { $1 },
            program: "\(BuildFolder.withoutNeuralEngines)/synthhost", devices: .missing
        ).finish()
    }

    @Test(
        "The engine and the kind of failure are reported, and the exit code matches",
        arguments: [
            (["SPEAK=crash_midway"], 70, "crashed (SIGSEGV) while speaking"),
            (["SPEAK=hang_midway"], 70, "hung"),
            (["IN_LOAD=crash"], 70, "crashed (SIGSEGV) while loading"),
            (["IN_SYNTHESIZE=leave"], 70, "exited with code 0"),
            (["SPEAK=not_a_number"], 70, "not a finite number"),
            (["SPEAK=garbage_on_lane"], 70, "corrupted its worker process"),
            (["STATUS=SYNTH_MISSING_FILE", #"COMPLAINT="There are no weights.""#], 69, "There are no weights."),
        ] as [([String], Int32, String)])
    func speak(_ choices: [String], _ code: Int32, _ words: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(choices)
        let output = "\(fixture.folder)/out.wav"
        let result = try Self.synthhost(
            fixture, ["speak", "-e", "faulty", "-o", output, "Hello there."], idleSeconds: words == "hung" ? 2 : 3600)
        #expect(result.code == code, "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("faulty") && result.errors.contains(words), "\(result.errors)")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count >= 2 && lines.last?.contains("`") == true || lines.last?.contains("Try") == true)
        #expect(Processes.haveEnded(path))
    }

    @Test("A selected engine that is unusable is reported")
    func refused() throws {
        let fixture = try EngineFixture()
        try fixture.write(Data("text".utf8), as: "faulty.so")
        let result = try Self.synthhost(
            fixture, ["speak", "-e", "faulty", "-o", "\(fixture.folder)/out.wav", "Hello."])
        #expect(result.code == 69)
        #expect(result.errors.contains("faulty"))
    }

    @Test("Failing engines are listed along with a working engine, which still speaks")
    func list() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone()
        try fixture.makeEngine(["IN_ENTRY=crash"], named: "crash")
        try fixture.makeEngine(["WITHOUT_ENTRY"], named: "no-entry")
        try fixture.write(Data(), as: "empty.so")
        let list = try Self.synthhost(fixture, ["engines", "list"])
        #expect(list.code == 0, "\(list.errors)")
        for words in [
            "tone  Tone", "crash.so crashed (SIGSEGV)", "no function synth_engine_entry", "empty.so is empty",
        ] {
            #expect(list.text.contains(words), "\(list.text)")
        }
        let output = "\(fixture.folder)/out.wav"
        let speech = try Self.synthhost(fixture, ["speak", "-e", "tone", "-o", output, "Hello."])
        #expect(speech.code == 0, "\(speech.errors)")
        #expect((FileManager.default.contents(atPath: output)?.count ?? 0) > 10_000)
    }
}
