import Foundation
import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Workers started by a starter process", .ownThreads)
struct StarterTests {
    private static func program(_ fixture: EngineFixture) throws -> WorkerProgram {
        var program = fixture.program
        program.starter = try WorkerSpawn.starter(
            program.path, fetcher: "\(BuildFolder.path)/synthhost-fetch",
            reader: "\(BuildFolder.path)/synthhost-read", confinement: .usual)
        return program
    }

    private static func engine(_ path: String, _ program: WorkerProgram) throws -> Engine {
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        // The worker that described the engine may still be running.
        #expect(Processes.haveEnded(path))
        return Engine(file: path, description: description, program: program, limits: .short())
    }

    private static func parent(of process: Int32) -> Int32? {
        ProcessStat.fields(in: "/proc/\(process)")?.dropFirst().first.flatMap { Int32($0) }
    }

    @Test("Workers are children of this process, have their own group, and speak")
    func speaks() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        let lane = try Self.engine(path, try Self.program(fixture)).openLane(on: EngineFixture.load)
        #expect(try lane.speak("a b c").wasSpoken)
        let worker = try #require(Processes.hosting(path).first)
        #expect(Self.parent(of: worker) == getpid())
        #expect(getpgid(worker) == worker)
    }

    @Test("A worker's crash is reported, and the next request starts a new worker")
    func ends() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=moody"])
        let engine = try Self.engine(path, try Self.program(fixture))
        for _ in 1...3 {
            let lane = try engine.openLane(on: EngineFixture.load)
            let failure = #expect(throws: EngineFailure.self) { try lane.speak("a crash") }
            guard case .crashed = failure?.reason else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        #expect(Processes.haveEnded(path))
    }

    @Test("Workers can still be started after all processes have received a stop signal")
    func signals() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        let worker = "\(fixture.folder)/synthhost-worker"
        try GeneratedProgram.copy(fixture.program.path, to: worker)
        var program = fixture.program
        program.path = worker
        program.starter = try WorkerSpawn.starter(worker, fetcher: worker, reader: worker, confinement: .usual)
        let engine = try Self.engine(path, program)
        let lane = try engine.openLane(on: EngineFixture.load)
        for number in [SIGHUP, SIGINT, SIGTERM] {
            for process in ProcessTable.processes(naming: "start usual \(worker)") { kill(process, number) }
        }
        for process in Processes.hosting(path) { kill(process, SIGTERM) }
        #expect(throws: EngineFailure.self) { try lane.speak("a b") }
        #expect(try engine.openLane(on: EngineFixture.load).speak("a b").wasSpoken)
    }

    /// A starter that sends a late reply to an earlier request before its first reply. That request started a program
    /// that runs until it is killed. The reply to the second request contains the signal that ended that program.
    private static let lateStarter = """
        import os, socket, struct, subprocess
        requests, number, earlier = socket.socket(fileno=3), 0, None
        while request := requests.recv(1 << 20):
            if request[0] == 0xFE:
                number, = struct.unpack("=I", request[1:])
            elif request[0] == 0xFF and not earlier:
                earlier = subprocess.Popen(["sleep", "1000"], start_new_session=True)
                requests.send(struct.pack("=Iii", number - 1, earlier.pid, 0))
                requests.send(struct.pack("=Iii", number, os.getpid(), 0))
            elif request[0] == 0xFF:
                requests.send(struct.pack("=Iii", number, -earlier.wait(), 0))
        """

    @Test(
        "A late reply to an earlier request is not mistaken for the current reply, and the earlier program is killed",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func lateAnswer() throws {
        let starter = try ProgramStarter(
            "/usr/bin/python3", arguments: ["-c", Self.lateStarter], environment: ["PATH": "/usr/bin:/bin"])
        let first = try Spawn(group: .own).start("/bin/true", environment: nil, by: starter)
        #expect(Self.parent(of: first) == getpid())
        #expect(try Spawn(group: .own).start("/bin/true", environment: nil, by: starter) == SIGKILL)
    }

    @Test("Workers can be started in parallel")
    func many() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        let program = try Self.program(fixture)
        let described = Monitor(0)
        for _ in 0..<16 {
            startThread("describe") {
                let name = try? EngineFile(path: path).describe(by: program, limits: .short()).name
                described.update { $0 += name == "Faulty" ? 1 : 100 }
            }
        }
        #expect(described.wait { $0 >= 16 ? $0 : nil } == 16)
    }

    @Test("A rejection has a reason: an unknown program, a missing program, or a starter that has exited")
    func refusals() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        let programs = "\(fixture.folder)/programs"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
        let worker = "\(programs)/synthhost-worker"
        try GeneratedProgram.copy(fixture.program.path, to: worker)
        var program = fixture.program
        program.path = worker
        program.starter = try WorkerSpawn.starter(worker, fetcher: worker, reader: worker, confinement: .usual)
        func failure() throws -> EngineFailure.Reason? {
            #expect(throws: EngineFailure.self) {
                try EngineFile(path: path).describe(by: program, limits: .short())
            }?.reason
        }
        _ = try EngineFile(path: path).describe(by: program, limits: .short())
        program.path = "/bin/true"
        #expect(try failure() == .notStarted(.program("/bin/true", .notPermitted)))
        program.path = worker
        try FileManager.default.removeItem(atPath: worker)
        #expect(try failure() == .notStarted(.program(worker, .notFound)))
        for starter in ProcessTable.processes(naming: worker) { kill(starter, SIGKILL) }
        for starter in ProcessTable.processes(naming: worker) { #expect(ProcessTable.waitForEnd(of: starter)) }
        guard case .notStarted(.program(worker, _)) = try failure() else {
            Issue.record("The worker should have been rejected.")
            return
        }
    }

    @Test("Workers inherit only those of the starter's environment variables that the program names")
    func environment() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([], from: "curious", named: "curious")
        var program = try Self.program(fixture)
        // Variables that are set in the request keep their values.
        program.environment = ["PATH": "/bin", "LANG": "xx_XX", "LC_TIME": "yy"]
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        let lines = LogLines()
        let engine = Engine(
            file: path, description: description, program: program, limits: .short(), onLog: { lines.add($0, $1) })
        _ = try engine.openLane(on: LoadRequest(id: "one"))
        let entries = try #require(lines.wait(until: "info that is all"))
        let language = ProcessInfo.processInfo.environment["LANG"]
        #expect(entries.contains("info LANG=xx_XX") == (language == "xx_XX"))
        #expect(
            language.map { entries.contains("info LANG=\($0)") } ?? !entries.contains { $0.hasPrefix("info LANG=") })
        #expect(!entries.contains { $0.hasPrefix("info PATH=") })
    }

    @Test("Workers get an optional variable from the starter only if the program names it", arguments: [true, false])
    func offered(isNamed: Bool) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([], from: "curious", named: "curious")
        var program = fixture.program
        program.starter = try WorkerSpawn.starter(
            program.path, fetcher: program.path, reader: program.path, confinement: .usual,
            offering: ["LC_OFFERED": "this"])
        program.environment = isNamed ? ["LC_OFFERED": "another"] : [:]
        let lines = LogLines()
        let engine = Engine(
            file: path, description: try EngineFile(path: path).describe(by: program, limits: .short()),
            program: program,
            limits: .short(), onLog: { lines.add($0, $1) })
        _ = try engine.openLane(on: LoadRequest(id: "one"))
        let entries = try #require(lines.wait(until: "info that is all"))
        #expect(entries.filter { $0.hasPrefix("info LC_OFFERED") } == (isNamed ? ["info LC_OFFERED=this"] : []))
    }
}
