import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("A worker's confinement", .ownThreads)
struct ConfinedWorkerTests {
    /// A model whose file is in a separate folder.
    private static func load(_ name: String, in fixture: EngineFixture) throws -> LoadRequest {
        let folder = "\(fixture.folder)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("weights".utf8).write(to: URL(filePath: "\(folder)/weights"))
        return LoadRequest(id: name, files: [HandedFile(role: "weights", path: "\(folder)/weights")])
    }

    @Test("A worker's confinement is never relaxed, so a model with files elsewhere gets a new worker")
    func another() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        let engine = fixture.engine(path)
        let (one, other) = (try Self.load("one", in: fixture), try Self.load("other", in: fixture))
        let lanes = [
            try engine.openLane(on: one), try engine.openLane(on: other), try engine.openLane(on: one),
            try engine.openLane(on: other),
        ]
        #expect(Processes.hosting(path).count == 2)
        for lane in lanes { #expect(try lane.speak("a").wasSpoken) }
    }

    @Test(
        "Models in a folder that the worker can read share that worker; without confinement, all models share one",
        arguments: [true, false])
    func together(areConfined: Bool) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        var program = fixture.program
        if areConfined { program.readable = [fixture.folder] } else { program.confinement = .off }
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        // The worker that described the engine may still be running.
        #expect(Processes.haveEnded(path))
        let engine = Engine(file: path, description: description, program: program, limits: .short())
        let lanes = try ["one", "other"].map { try engine.openLane(on: Self.load($0, in: fixture)) }
        #expect(Processes.hosting(path).count == 1)
        for lane in lanes { #expect(try lane.speak("a").wasSpoken) }
    }

    @Test("An engine is rejected if the required confinement is not available")
    func required() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        var program = fixture.program
        program.confinement = .required
        program.landlockVersion = 0
        let failure = #expect(throws: EngineFailure.self) {
            try EngineFile(path: path).describe(by: program, limits: .short())
        }
        #expect(failure?.reason == .refused(Refusal(.unconfined(.files))))
        program.landlockVersion = nil
        if Confinement.landlockVersion > 0 { _ = try EngineFile(path: path).describe(by: program, limits: .short()) }
    }
}
