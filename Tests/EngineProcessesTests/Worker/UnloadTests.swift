import Foundation
import SynthEngineWire
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthEngineProcesses

@Suite("Unloading models", .ownThreads)
struct UnloadTests {
    /// The counts that the counting engine reports.
    private struct Counts: Equatable {
        var loaded: Int
        var loads: Int
        var lanes: Int

        init(_ lane: EngineLane) throws {
            let samples = try lane.speak("a").samples.map { Int(($0 * 1000).rounded()) }
            try #require(samples.count == 3)
            (loaded, loads, lanes) = (samples[0], samples[1], samples[2])
        }
    }

    private static func load(_ name: String) -> LoadRequest { LoadRequest(id: name) }

    @Test("A model is unloaded when its last lane closes and not before")
    func lastLane() throws {
        let fixture = try EngineFixture()
        let lines = LogLines()
        let engine = fixture.engine(try fixture.makeEngine([], from: "counted"), onLog: { lines.add($0, $1) })
        let other = try engine.openLane(on: Self.load("b"))
        var lanes = try (1...3).map { _ in try engine.openLane(on: Self.load("a")) }
        var counts = try Counts(other)
        #expect(counts.loaded == 2 && counts.loads == 2 && counts.lanes == 4)
        while lanes.count > 1 { lanes.removeLast() }
        // A lane for a third model has been opened and closed, so every earlier model has been unloaded.
        _ = try engine.openLane(on: Self.load("c"))
        #expect(lines.wait(for: "info unloaded c"))
        counts = try Counts(other)
        #expect(counts.loaded == 2 && counts.loads == 3)
        lanes = []
        #expect(lines.wait(for: "info unloaded a"))
        #expect(try Counts(other).loaded == 1)
        // The model is loaded again when it is needed.
        lanes = [try engine.openLane(on: Self.load("a"))]
        counts = try Counts(lanes[0])
        #expect(counts.loaded == 2 && counts.loads == 4 && counts.lanes == 2)
    }

    @Test("An engine's metrics include a model only while it is loaded")
    func figures() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([], from: "counted")
        let engine = fixture.engine(path, maxLanes: 2)
        #expect(engine.figures == EngineFigures(id: "faulty", plugin: path))
        let kept = try ["a", "a", "b"].map { try engine.openLane(on: Self.load($0)) }
        do {
            let lanes = try ["a", "c"].map { try engine.openLane(on: Self.load($0)) }
            let figures = engine.figures
            #expect(figures.models == [Self.load("a"): 3, Self.load("b"): 1, Self.load("c"): 1])
            #expect(Set(figures.processes.map(\.identifier)) == Set(Processes.hosting(path)))
            #expect(figures.processes.count == 3 && figures.processes.allSatisfy { $0.memory > 1 << 20 })
            withExtendedLifetime(lanes) {}
        }
        #expect(engine.figures.models == [Self.load("a"): 2, Self.load("b"): 1])
        engine.abandon()
        #expect(Processes.haveEnded(path) && engine.figures.processes.isEmpty && engine.figures.memory == 0)
        withExtendedLifetime(kept) {}
    }

    @Test("A model is unloaded before a different one is loaded")
    func order() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine([], from: "counted"))
        for round in 1...30 {
            let counts = try Counts(try engine.openLane(on: Self.load("\(round)")))
            #expect(counts.loaded == 1 && counts.loads == round)
        }
    }

    @Test("If no lane can be opened for a model, the model is unloaded")
    func noLane() throws {
        let fixture = try EngineFixture()
        let lines = LogLines()
        let engine = fixture.engine(try fixture.makeEngine([], from: "counted"), onLog: { lines.add($0, $1) })
        for time in 1...3 {
            let failure = #expect(throws: EngineFailure.self) { try engine.openLane(on: Self.load("unopenable")) }
            #expect(failure?.reason == .reported(EngineError(.failed, "It has no lane.")))
            #expect(lines.wait(for: "info unloaded unopenable", times: time))
        }
    }

    @Test(
        "Unloading returns memory to the system", .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory.")
    )
    func memory() throws {
        let fixture = try EngineFixture()
        let lines = LogLines()
        let path = try fixture.makeEngine([], from: "counted")
        let engine = fixture.engine(path, onLog: { lines.add($0, $1) })
        let other = try engine.openLane(on: Self.load("small"))
        let worker = try #require(Processes.hosting(path).first)
        let before = try Self.resident(worker)
        for time in 1...3 {
            var big: EngineLane? = try engine.openLane(on: Self.load("big"))
            #expect(try Self.resident(worker) > before + 60_000_000)
            #expect(try big?.speak("a").wasSpoken == true)
            big = nil
            #expect(big == nil && lines.wait(for: "info unloaded big", times: time))
            // The reply arrives after the model has been unloaded.
            _ = try engine.openLane(on: Self.load("small"))
            #expect(try Self.resident(worker) < before + 8_000_000)
        }
        #expect(try Counts(other).loaded == 1)
    }

    private static func resident(_ process: pid_t) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test(
        "A model is never used after it has been unloaded, however many lanes open and close",
        arguments: [0, 2] as [UInt32])
    func race(most: UInt32) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([], from: "counted")
        let engine = fixture.engine(path, maxLanes: most)
        let (threads, rounds) = (8, 60)
        let ends = Monitor<[Result<Int, any Error>]>([])
        for number in 0..<threads {
            startThread("opener") {
                var random = SeededRandom(UInt64(number))
                let end = Result {
                    try (0..<rounds).count { _ in
                        let lane = try engine.openLane(on: Self.load(["a", "b"].randomElement(using: &random) ?? "a"))
                        let isSpeaking = Bool.random(using: &random)
                        return try isSpeaking ? lane.speak("a").wasSpoken : lane.isAlive
                    }
                }
                ends.update { $0.append(end) }
            }
        }
        let results = try #require(ends.wait(timeout: .seconds(600)) { $0.count == threads ? $0 : nil })
        for result in results { #expect(try result.get() == rounds) }
        // A worker that is being replaced may not have exited yet.
        let workers = Processes.hosting(path).count
        #expect(most == 0 ? workers == 1 : workers <= threads / Int(most))
        let last = try engine.openLane(on: Self.load("a"))
        let end = ContinuousClock.now + .seconds(300)
        while try Counts(last).loaded > 1, .now < end {}
        #expect(try Counts(last).loaded == 1)
    }

    @Test(
        "A crash during unloading does not make later requests fail", arguments: ["crash", "leave", "breakdown"])
    func crash(_ way: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["IN_UNLOAD=\(way)"])
        let engine = fixture.engine(path)
        for _ in 1...2 {
            #expect(try engine.openLane(on: Self.load("a")).speak("a").wasSpoken)
            #expect(Processes.haveEnded(path))
        }
        let other = try engine.openLane(on: Self.load("b"))
        #expect(try engine.openLane(on: Self.load("a")).speak("a").wasSpoken)
        #expect(Processes.haveEnded(path))
        #expect(throws: EngineFailure.self) { try other.speak("a") }
        #expect(try engine.openLane(on: Self.load("b")).speak("a").wasSpoken)
    }

    @Test(
        "If unloading hangs, the worker is terminated", arguments: ["hang", "hang_deaf", "spin", "stop"])
    func hang(_ way: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["IN_UNLOAD=\(way)"])
        let engine = fixture.engine(path, limits: .short(awaited: .seconds(1)))
        #expect(try engine.openLane(on: Self.load("a")).speak("a").wasSpoken)
        #expect(Processes.haveEnded(path))
        #expect(try engine.openLane(on: Self.load("a")).speak("a").wasSpoken)
        #expect(Processes.haveEnded(path))
    }

    @Test("If unloading hangs, other lanes continue to speak, and new lanes open in a new worker")
    func hangBeside() throws {
        let fixture = try EngineFixture()
        let lines = LogLines()
        let path = try fixture.makeEngine(["IN_UNLOAD=log_and_hang"])
        let engine = fixture.engine(path, limits: .short(awaited: .seconds(1)), onLog: { lines.add($0, $1) })
        var other: EngineLane? = try engine.openLane(on: Self.load("b"))
        let worker = try #require(Processes.hosting(path).first)
        #expect(try engine.openLane(on: Self.load("a")).speak("a").wasSpoken)
        #expect(lines.wait(for: "info hanging"))
        let later = try engine.openLane(on: Self.load("b"))
        #expect(Processes.hosting(path).count == 2)
        #expect(try later.speak("a").wasSpoken)
        #expect(try other?.speak("a").wasSpoken == true && other?.isAlive == true)
        other = nil
        #expect(other == nil)
        let end = ContinuousClock.now + .seconds(300)
        while Processes.hosting(path).contains(worker), .now < end { usleep(5000) }
        #expect(Processes.hosting(path).count == 1)
        #expect(try later.speak("a").wasSpoken)
    }

    @Test("If unloading hangs, the engine still exits without delay")
    func engineEnd() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["IN_UNLOAD=hang"])
        do {
            // The time limit for unloading is longer than the time within which the engine must end.
            let engine = fixture.engine(path, limits: .short(load: .seconds(3600), awaited: .seconds(3600)))
            #expect(try engine.openLane(on: Self.load("a")).speak("a").wasSpoken)
        }
        #expect(Processes.haveEnded(path))
    }
}
