import Foundation
@testable import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Resources after engine failures", .ownThreads)
struct ResourceLeakTests {
    /// The test runs in a separate process, because other tests concurrently open descriptors and start threads.
    @Test("Engine failures leave no file descriptors, threads or child processes behind")
    func leaks() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture()
            let scanned = try [
                "IN_VOICE=nothing", "IN_VOICE=crash", "IN_ENTRY=hang_deaf", "IN_VOICE=leave_printing_child",
                "IN_VOICE=leave_runaway", "IN_VOICE=write_garbage", "IN_VOICE=close_all", "IN_VOICE=pass_descriptors",
                "WITHOUT_ENTRY",
            ].enumerated().map { try fixture.makeEngine([$1], named: "scanned\($0)") }
            let spoken = try [
                "SPEAK=well", "SPEAK=crash_midway", "SPEAK=hang_midway", "SPEAK=deaf", "SPEAK=garbage_on_lane",
                "SPEAK=close_lanes", "IN_CLOSE=crash", "IN_CLOSE=hang", "IN_UNLOAD=crash", "IN_UNLOAD=hang",
                "IN_OPEN=crash", "IN_LOAD=leave_child",
                "IN_SYNTHESIZE=pass_descriptors",
            ].enumerated().map { try fixture.makeEngine([$1], named: "spoken\($0)") }
            let limits = EngineLimits.short(
                scan: .milliseconds(400), load: .seconds(2), idle: .milliseconds(400), cancelGrace: .milliseconds(200))
            let missing = WorkerProgram(path: "/nowhere", logFolder: fixture.folder)
            func settle(orExit code: Int32, _ isSettled: () -> Bool) {
                let end = ContinuousClock.now + .seconds(600)
                while !isSettled() {
                    if ContinuousClock.now > end { exit(code) }
                    usleep(1000)
                }
            }
            func round() {
                for path in scanned {
                    _ = try? EngineFile(path: path).describe(by: fixture.program, limits: limits)
                    _ = try? EngineFile(path: path).describe(by: missing, limits: limits)
                }
                for path in spoken {
                    let engine = fixture.engine(path, limits: limits)
                    for _ in 1...2 {
                        guard let lane = try? engine.openLane(on: EngineFixture.load) else { continue }
                        _ = try? lane.speak("seven") { $0.samples.isEmpty }
                        _ = try? lane.speak("a")
                    }
                }
                for path in scanned + spoken where !Processes.haveEnded(path) { exit(2) }
                // Threads may still be exiting.
                settle(orExit: 3) { Self.threads == 0 }
            }
            round()
            let before = FolderListing.names(in: "/proc/self/fd").count
            round()
            round()
            settle(orExit: 4) { FolderListing.names(in: "/proc/self/fd").count <= before }
            settle(orExit: 5) {
                // Does not reap the child, because the worker's supervisor needs the exit status.
                var information = siginfo_t()
                return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD
            }
        }
    }

    /// The number of threads that watch workers.
    private static var threads: Int {
        FolderListing.names(in: "/proc/self/task").filter {
            let name = (try? readWholeFile("/proc/self/task/\($0)/comm", limit: 64)) ?? []
            return ["supervisor\n", "unload\n"].contains(String(decoding: name, as: UTF8.self))
        }.count
    }
}
