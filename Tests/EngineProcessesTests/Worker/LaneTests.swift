import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("An engine's lanes", .ownThreads)
struct LaneTests {
    @Test("A worker never has more lanes than the engine allows", arguments: [(1, 3), (2, 2), (0, 1)])
    func maxLanes(most: UInt32, workers: Int) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["LANES=\(most)"])
        do {
            let engine = fixture.engine(path, maxLanes: most)
            var lanes = try (1...3).map { _ in try engine.openLane(on: EngineFixture.load) }
            #expect(Processes.hosting(path).count == workers)
            for lane in lanes { #expect(try lane.speak("a").wasSpoken) }
            // Once a lane has been closed, another can be opened.
            lanes.removeLast()
            lanes.append(try engine.openLane(on: EngineFixture.load))
            #expect(Processes.hosting(path).count == workers)
        }
        #expect(Processes.haveEnded(path))
    }

    @Test("Lanes speak different texts in parallel")
    func parallel() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine([]))
        let lanes = try (1...4).map { _ in try engine.openLane(on: EngineFixture.load) }
        let alone = try (0..<4).map { try lanes[0].speak(String(repeating: "a", count: $0)) }
        let together = Monitor<[Int: [Speech]]>([:])
        for (number, lane) in lanes.enumerated() {
            startThread("speaker") {
                let speeches = (1...25).compactMap { _ in try? lane.speak(String(repeating: "a", count: number)) }
                together.update { $0[number] = speeches }
            }
        }
        let speeches = try #require(together.wait(timeout: .seconds(600)) { $0.count == 4 ? $0 : nil })
        for number in 0..<4 {
            #expect(speeches[number]?.count == 25)
            #expect(speeches[number]?.allSatisfy { $0 == alone[number] } == true)
        }
    }

    @Test("If a worker fails, all of its lanes fail, and each reports the reason")
    func sharedEnd() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine(["SPEAK=crash_or_go_on"]))
        let (good, bad) = (try engine.openLane(on: EngineFixture.load), try engine.openLane(on: EngineFixture.load))
        let heard = Monitor<EngineFailure?>(nil)
        let hasBegun = Monitor(false)
        startThread("speaker") {
            do throws(EngineFailure) {
                _ = try good.speak("a") { _ in
                    hasBegun.update { $0 = true }
                    return true
                }
            } catch {
                heard.update { $0 = error }
            }
        }
        #expect(hasBegun.wait(timeout: .seconds(600)) { $0 ? true : nil } == true)
        #expect(throws: EngineFailure.self) { try bad.speak("seven") }
        let failure = try #require(heard.wait(timeout: .seconds(600)) { $0 })
        #expect(failure.reason == .crashed(signal: SIGSEGV, .speaking))
        #expect(!good.isAlive && !bad.isAlive)
    }

    @Test("Unread audio blocks the engine so that little audio is buffered")
    func backPressure() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=endlessly"])
        let lane = try fixture.engine(path).openLane(on: EngineFixture.load)
        let worker = try #require(Processes.hosting(path).first)
        var resident: [Int] = []
        var wasAsleep = true
        let speech = try lane.speak("a") { speech in
            guard speech.samples.count > 10_000 else { return true }
            // Without back-pressure, the engine would compute without pausing.
            wasAsleep = Processes.isAsleep(worker) && wasAsleep
            resident.append(Self.residentKilobytes(worker))
            return resident.count < 3
        }
        #expect(!speech.wasSpoken && wasAsleep)
        let (first, last) = (try #require(resident.first), try #require(resident.last))
        #expect(last < first + 4096)
        #expect(lane.isAlive)
    }

    private static func residentKilobytes(_ process: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    @Test(
        "Lanes end when their worker exits, even if other processes still have its sockets open",
        .enabled(if: !Processes.copyDescriptors(of: getpid()).isEmpty, "This test needs pidfd_getfd."))
    func heldSockets() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=slowly"])
        let lane = try fixture.engine(path).openLane(on: EngineFixture.load)
        let worker = try #require(Processes.hosting(path).first)
        var held: [Descriptor] = []
        let failure = #expect(throws: EngineFailure.self) {
            try lane.speak("a") { speech in
                if held.isEmpty, !speech.samples.isEmpty {
                    held = Processes.copyDescriptors(of: worker)
                    kill(worker, SIGKILL)
                }
                return true
            }
        }
        #expect(failure?.reason == .crashed(signal: SIGKILL, .speaking))
        // The copies include the control socket and the lane's socket.
        #expect(held.count > 4)
        withExtendedLifetime(held) {}
    }

    @Test("Lanes outlive the engine value, and closing the last lane terminates the worker")
    func release() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        var engine: Engine? = fixture.engine(path)
        var lane = try engine?.openLane(on: EngineFixture.load)
        let speech = try lane?.speak("a") { _ in
            engine = nil
            return true
        }
        #expect(speech?.wasSpoken == true)
        #expect(try lane?.speak("b").wasSpoken == true)
        lane = nil
        #expect(engine == nil)
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "After the engine is abandoned, opening a lane and speaking fail immediately",
        arguments: ["IN_LOAD=hang", "SPEAK=hang_midway"])
    func abandon(_ choice: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([choice])
        let engine = fixture.engine(path)
        let outcome = Monitor<EngineFailure?>(nil)
        startThread("speaker") {
            do throws(EngineFailure) {
                _ = try engine.openLane(on: EngineFixture.load).speak("a")
            } catch {
                outcome.update { $0 = error }
            }
        }
        let end = ContinuousClock.now + .seconds(600)
        while Processes.hosting(path).isEmpty, .now < end { usleep(1000) }
        engine.abandon()
        #expect(outcome.wait(timeout: .seconds(300)) { $0 } != nil)
        #expect(throws: EngineFailure.self) { try engine.openLane(on: EngineFixture.load) }
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "Lanes that are released while they are speaking end when the worker exits",
        arguments: ["endlessly", "hang_midway", "spin_midway"])
    func drop(_ speak: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=\(speak)"])
        let hasBegun = Monitor(false)
        let isOver = Monitor(false)
        do {
            let engine = fixture.engine(path, limits: .short(cancelGrace: .milliseconds(200)))
            let lane = try engine.openLane(on: EngineFixture.load)
            startThread("speaker") {
                _ = try? lane.speak("a") { _ in
                    hasBegun.update { $0 = true }
                    return true
                }
                isOver.update { $0 = true }
            }
            #expect(hasBegun.wait(timeout: .seconds(600)) { $0 ? true : nil } == true)
            lane.cancel()
        }
        #expect(isOver.wait(timeout: .seconds(600)) { $0 ? true : nil } == true)
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "A worker exits as soon as the host has exited, no matter what the engine is doing",
        arguments: ["IN_CONSTRUCTOR", "IN_ENTRY", "IN_LOAD", "IN_OPEN"])
    func orphan(_ place: String) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["\(place)=hang_deaf"])
        let (ours, theirs) = try Descriptor.socketPair()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // A shell starts the worker, so that the worker's host can exit while this process continues.
        process.arguments = ["-c", "exec '\(fixture.program.path)' '\(path)' 3<&0 </dev/null"]
        process.standardInput = FileHandle(fileDescriptor: theirs.raw, closeOnDealloc: false)
        try withExtendedLifetime(theirs) { try process.run() }
        let socket = FrameSocket(ours)
        try socket.send(ControlRequest.describe.frameBytes)
        try socket.send(ControlRequest.load(model: 1, EngineFixture.load).frameBytes)
        let (lane, _) = try Descriptor.socketPair()
        try socket.send(ControlRequest.open(lane: 2, model: 1).frameBytes, passing: lane)
        // Simulates a killed host by closing its end while there are unread frames.
        shutdown(ours.raw, Int32(SHUT_RDWR))
        #expect(Processes.haveEnded(path))
        process.waitUntilExit()
    }
}
