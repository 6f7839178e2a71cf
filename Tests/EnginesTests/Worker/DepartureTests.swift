import Engines
import Foundation
import Testing
import TestSupport

/// However the host leaves, nothing of an engine stays behind.
@Suite("A host that leaves", .ownThreads)
struct DepartureTests {
    private static func start(_ workshop: EngineWorkshop) throws -> ChildProcess {
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = workshop.folder
        for name in ["DATA", "CACHE", "STATE", "CONFIG"] {
            environment["XDG_\(name)_HOME"] = "\(workshop.folder)/\(name)"
        }
        let arguments = [
            "speak", "-e", "faulty", "--plugins-dir", workshop.plugins, "-o", "\(workshop.folder)/out.wav", "seven",
        ]
        return try ChildProcess(
            "\(BuildFolder.withoutNeuralEngines)/synthhost", arguments: arguments.map { Array($0.utf8) },
            environment: environment)
    }

    /// Waits until something of the engine runs and, where it speaks, was heard.
    private static func wait(for process: ChildProcess, _ workshop: EngineWorkshop, isSpeaking: Bool) throws {
        try process.wait("its worker") { _ in
            guard isSpeaking else { return !Processes.hosting("\(workshop.plugins)/faulty.so").isEmpty }
            return (FileManager.default.contents(atPath: "\(workshop.folder)/out.wav")?.count ?? 0) > 44
        }
    }

    @Test(
        "leaves no process of an engine that does not come back from a call",
        arguments: [
            ["SPEAK=slowly", "IN_CANCEL=spin"], ["SPEAK=slowly", "IN_CANCEL=hang_deaf"],
            ["SPEAK=deaf_and_busy", "IN_CANCEL=spin"], ["SPEAK=slowly", "IN_SYNTHESIZE=leave_child", "IN_CANCEL=hang"],
            ["IN_CONSTRUCTOR=hang"], ["IN_LOAD=spin"],
        ], [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func signals(_ choices: [String], _ signal: Int32) throws {
        let workshop = try EngineWorkshop()
        let path = try workshop.makeEngine(choices)
        let process = try Self.start(workshop)
        try Self.wait(for: process, workshop, isSpeaking: choices[0].hasPrefix("SPEAK"))
        process.signal(signal)
        let result = try process.finish(within: .seconds(20))
        #expect(signal == SIGKILL ? result.signal == SIGKILL : result.code == 128 + signal, "\(result)")
        #expect(Processes.areGone(path))
    }

    @Test("at the second Ctrl-C leaves none either")
    func twice() throws {
        let workshop = try EngineWorkshop()
        let path = try workshop.makeEngine(["SPEAK=deaf_and_busy", "IN_CANCEL=spin"])
        let process = try Self.start(workshop)
        try Self.wait(for: process, workshop, isSpeaking: true)
        process.signal(SIGINT)
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(20)).code == 130)
        #expect(Processes.areGone(path))
    }

    @Test("a lane's cancel that does not come back stops no other lane's")
    func otherLane() throws {
        let workshop = try EngineWorkshop()
        let engine = workshop.engine(try workshop.makeEngine(["SPEAK=endlessly", "IN_CANCEL=spin"]))
        let lanes = try [engine.openLane(on: EngineWorkshop.load), engine.openLane(on: EngineWorkshop.load)]
        for lane in lanes {
            let speech = try lane.speak("a", goOn: { $0.samples.count < 5000 })
            #expect(!speech.wasSpoken && lane.isAlive)
        }
    }
}
