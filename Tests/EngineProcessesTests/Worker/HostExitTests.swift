import Foundation
import Testing
import TestSupport

@testable import SynthEngineProcesses

/// No engine process may be left running, however the host exits.
@Suite("Exit of the host", .ownThreads)
struct HostExitTests {
    private static func start(_ fixture: EngineFixture) throws -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = fixture.folder
        for name in ["DATA", "CACHE", "STATE", "CONFIG"] {
            environment["XDG_\(name)_HOME"] = "\(fixture.folder)/\(name)"
        }
        // The limits are so long that only a signal ends the engine.
        let configuration = "\(fixture.folder)/config.json"
        let limits = #"{"scanSeconds": 3600, "loadSeconds": 3600, "audioSeconds": 3600, "idleSeconds": 3600}"#
        try #"{"limits": \#(limits)}"#.write(toFile: configuration, atomically: true, encoding: .utf8)
        let arguments = [
            "speak", "-e", "faulty", "--plugins-dir", fixture.plugins, "--config", configuration,
            "-o", "\(fixture.folder)/out.wav", "seven",
        ]
        return try ChildProcess(
            "\(BuildFolder.withoutNeuralEngines)/synthhost", arguments: arguments.map { Array($0.utf8) },
            environment: environment)
    }

    /// Waits until the engine's process is running or, if `isSpeaking` is true, until the host's unnamed output file
    /// contains audio.
    private static func wait(for process: ChildProcess, _ fixture: EngineFixture, isSpeaking: Bool) throws {
        try process.wait("its worker") { _ in
            guard isSpeaking else { return !Processes.hosting("\(fixture.plugins)/faulty.so").isEmpty }
            return ProcessTable.unnamedBytes(of: process.identifier, below: fixture.folder) > 80
        }
    }

    @Test(
        "A signal terminates the host and all processes of an engine that hangs in a call",
        arguments: [
            ["SPEAK=slowly", "IN_CANCEL=spin"], ["SPEAK=slowly", "IN_CANCEL=hang_deaf"],
            ["SPEAK=deaf_and_busy", "IN_CANCEL=spin"], ["SPEAK=slowly", "IN_SYNTHESIZE=leave_child", "IN_CANCEL=hang"],
            ["IN_CONSTRUCTOR=hang"], ["IN_LOAD=spin"], ["SPEAK=hold_first_thread"],
        ], [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func signals(_ choices: [String], _ signal: Int32) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(choices)
        let process = try Self.start(fixture)
        try Self.wait(for: process, fixture, isSpeaking: choices[0].hasPrefix("SPEAK"))
        process.signal(signal)
        let result = try process.finish(within: .seconds(600))
        #expect(signal == SIGKILL ? result.signal == SIGKILL : result.code == 128 + signal, "\(result)")
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "A crash signal terminates all processes, even if the engine occupies the main thread",
        arguments: [SIGABRT, SIGSEGV])
    func errors(signal: Int32) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=hold_first_thread"])
        let process = try Self.start(fixture)
        try Self.wait(for: process, fixture, isSpeaking: true)
        process.signal(signal)
        #expect(try process.finish(within: .seconds(600)).signal == signal)
        #expect(Processes.haveEnded(path))
    }

    @Test("A second Ctrl-C terminates all processes")
    func twice() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=deaf_and_busy", "IN_CANCEL=spin"])
        let process = try Self.start(fixture)
        try Self.wait(for: process, fixture, isSpeaking: true)
        process.signal(SIGINT)
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(600)).code == 130)
        #expect(Processes.haveEnded(path))
    }

    @Test("A lane's request can be cancelled while the engine hangs in another lane's `cancel`")
    func otherLane() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine(["SPEAK=endlessly", "IN_CANCEL=spin"]))
        let lanes = try [engine.openLane(on: EngineFixture.load), engine.openLane(on: EngineFixture.load)]
        for lane in lanes {
            let speech = try lane.speak("a", shouldContinue: { $0.samples.count < 5000 })
            #expect(!speech.wasSpoken && lane.isAlive)
        }
    }
}
