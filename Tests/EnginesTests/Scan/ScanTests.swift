import Engines
import EngineWire
import Foundation
import System
import Testing
import TestSupport

@Suite("A scan of the plugins folders", .ownThreads)
struct ScanTests {
    /// The real worker behind a script that counts how often it is started.
    private struct CountingWorker {
        let program: WorkerProgram
        private let tally: String

        init(_ workshop: EngineWorkshop) throws {
            tally = "\(workshop.folder)/starts"
            program = WorkerProgram(path: "\(workshop.folder)/synthhost-worker", logFolder: "\(workshop.folder)/logs")
            let script = "#!/bin/sh\necho >> '\(tally)'\nexec '\(workshop.program.path)' \"$@\"\n"
            try script.write(toFile: program.path, atomically: true, encoding: .utf8)
            chmod(program.path, 0o700)
        }

        var starts: Int { FileManager.default.contents(atPath: tally)?.count ?? 0 }
    }

    private static func scan(
        _ workshop: EngineWorkshop, folders: [String]? = nil, program: WorkerProgram? = nil, cache: String? = nil,
        limits: EngineLimits = .short()
    ) -> PluginScan {
        PluginScan(
            folders: folders ?? [workshop.plugins], program: program ?? workshop.program, limits: limits,
            cacheFolder: cache)
    }

    @Test("lists the good beside the bad, by name, and passes over other files and missing folders")
    func mixture() throws {
        let workshop = try EngineWorkshop()
        try workshop.copyTone(as: "c")
        try workshop.makeEngine(["IN_VOICE=crash"], named: "b")
        try workshop.write(Data(), as: "a.so")
        try workshop.write(Data(), as: "readme.txt")
        let files = Self.scan(workshop, folders: ["/nowhere", workshop.plugins, workshop.plugins]).run()
        #expect(files.map(\.path) == ["a", "b", "c"].map { "\(workshop.plugins)/\($0).so" })
        #expect(files.map { $0.engine?.id } == [nil, nil, "tone"])
        #expect(files[1].verdict == .unusable(.crashed(signal: SIGSEGV, .describing)))
    }

    @Test("lets the first engine of an id win, and names it to the others")
    func shadows() throws {
        let workshop = try EngineWorkshop()
        let other = "\(workshop.folder)/other"
        mkdir(other, 0o700)
        let first = try workshop.copyTone(as: "z", in: other)
        let second = try workshop.copyTone(as: "a")
        try workshop.makeEngine(["IN_VOICE=crash"], named: "tone", in: other)
        let files = Self.scan(workshop, folders: [other, workshop.plugins]).run()
        #expect(files.count == 3)
        guard case .shadowed(let engine, let owner) = files[2].verdict else {
            Issue.record("\(files[2])")
            return
        }
        #expect(files[2].path == second && engine.id == "tone" && owner == first)
    }

    @Test("of fifty plugins asks each once, and the next time none")
    func cache() throws {
        let workshop = try EngineWorkshop()
        let worker = try CountingWorker(workshop)
        for number in 0..<50 { try workshop.copyTone(as: "tone\(number)") }
        let scan = Self.scan(workshop, program: worker.program, cache: "\(workshop.folder)/cache")
        let first = scan.run()
        #expect(first.count == 50 && worker.starts == 50)
        #expect(scan.run() == first)
        #expect(worker.starts == 50)
        #expect(scan.run(anew: true) == first)
        #expect(worker.starts == 100)
    }

    @Test("asks again whoever did not answer well, and at once who was killed")
    func memory() throws {
        let workshop = try EngineWorkshop()
        let worker = try CountingWorker(workshop)
        try workshop.makeEngine(["IN_VOICE=crash"], named: "crash")
        try workshop.makeEngine(["IN_VOICE=hang"], named: "hang")
        let scan = Self.scan(
            workshop, program: worker.program, cache: "\(workshop.folder)/cache", limits: .short(scan: .seconds(2)))
        let first = scan.run()
        #expect(
            first.map(\.verdict) == [
                .unusable(.crashed(signal: SIGSEGV, .describing)), .unusable(.hung(.seconds(2), .describing)),
            ])
        #expect(worker.starts == 2)
        #expect(scan.run() == first)
        #expect(worker.starts == 4)
        for name in ["crash", "hang"] { unlink("\(workshop.plugins)/\(name).so") }
        try workshop.write(Data("text".utf8), as: "refused.so")
        try workshop.makeEngine(["IN_VOICE=killed"], named: "killed")
        try workshop.makeEngine(["IN_VOICE=leave"], named: "left")
        let second = scan.run()
        #expect(second.first?.verdict == .unusable(.crashed(signal: SIGKILL, .describing)))
        #expect(worker.starts == 8)
        #expect(scan.run() == second)
        #expect(worker.starts == 12)
    }

    @Test("takes the answer of one that was killed the first time only")
    func killedOnce() throws {
        let workshop = try EngineWorkshop()
        try workshop.copyTone()
        let script = "\(workshop.folder)/synthhost-worker"
        try """
        #!/bin/sh
        mkdir '\(workshop.folder)/first' 2>/dev/null && kill -KILL $$
        exec '\(workshop.program.path)' "$@"

        """.write(toFile: script, atomically: true, encoding: .utf8)
        chmod(script, 0o700)
        let program = WorkerProgram(path: script, logFolder: workshop.folder)
        #expect(Self.scan(workshop, program: program).run().first?.engine?.id == "tone")
    }

    @Test("knows a file that says nothing by its name")
    func names() {
        func file(_ path: String) -> PluginFile {
            PluginFile(path: path, verdict: .unusable(.hung(.seconds(5), .describing)))
        }
        for path in ["/a/libEspeakNG.so", "/a/espeak-ng.so", "/a/libespeak_ng.so", "ESPEAKNG.so"] {
            #expect(file(path).isNamed(after: "espeak-ng"), "\(path)")
        }
        #expect(file("/a/libretto.so").isNamed(after: "libretto"))
        for path in ["/a/libEspeak.so", "/espeak-ng/tone.so", "/a/espeak-ng.so.1", "/a/myespeakng.so"] {
            #expect(!file(path).isNamed(after: "espeak-ng"), "\(path)")
        }
    }

    @Test("asks again where a file was replaced, though its size and time are the same")
    func replaced() throws {
        let workshop = try EngineWorkshop()
        let scan = Self.scan(workshop, cache: "\(workshop.folder)/cache")
        let path = try workshop.makeEngine([#"VERSION="1.0""#])
        let new = try workshop.makeEngine([#"VERSION="2.0""#], named: "new", in: workshop.folder)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(scan.run().map { $0.engine?.version } == ["1.0"])
        let times = [status.st_atim, status.st_mtim]
        #expect(rename(new, path) == 0)
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        #expect(scan.run().map { $0.engine?.version } == ["2.0"])
    }

    @Test("forgets an engine that was removed")
    func removed() throws {
        let workshop = try EngineWorkshop()
        let scan = Self.scan(workshop, cache: "\(workshop.folder)/cache")
        let path = try workshop.copyTone()
        #expect(scan.run().count == 1)
        unlink(path)
        #expect(scan.run().isEmpty)
    }

    @Test("asks again after the worker program changed")
    func newWorker() throws {
        let workshop = try EngineWorkshop()
        let worker = try CountingWorker(workshop)
        try workshop.copyTone()
        let cache = "\(workshop.folder)/cache"
        #expect(Self.scan(workshop, program: worker.program, cache: cache).run().count == 1)
        #expect(Self.scan(workshop, program: worker.program, cache: cache).run().count == 1)
        #expect(worker.starts == 1)
        let again = try CountingWorker(workshop)
        #expect(Self.scan(workshop, program: again.program, cache: cache).run().first?.engine?.id == "tone")
        #expect(again.starts == 2)
    }

    @Test("takes no notice of a cache that is damaged, cut or another's")
    func damagedCache() throws {
        let workshop = try EngineWorkshop()
        let worker = try CountingWorker(workshop)
        try workshop.copyTone()
        let cache = "\(workshop.folder)/cache"
        let scan = Self.scan(workshop, program: worker.program, cache: cache)
        let expected = scan.run()
        let name = try #require(FolderListing.names(in: cache).first)
        let whole = try Data(contentsOf: URL(filePath: "\(cache)/\(name)"))
        var flipped = whole
        flipped[whole.count - 1] ^= 0xFF
        var foreign = whole
        foreign[0] ^= 1
        let damaged = [
            Data(), whole.prefix(5), whole.dropLast(1), whole + [0], foreign, Data(repeating: 0xFF, count: 5000),
        ]
        for (index, bytes) in damaged.enumerated() {
            try bytes.write(to: URL(filePath: "\(cache)/\(name)"))
            #expect(scan.run() == expected, "damage \(index)")
            #expect(worker.starts == index + 2, "damage \(index)")
        }
    }

    @Test("waits for no pipe that lies where its cache or its logs are")
    func pipes() throws {
        let workshop = try EngineWorkshop()
        try workshop.copyTone()
        let cache = "\(workshop.folder)/cache"
        let scan = Self.scan(workshop, cache: cache)
        let expected = scan.run()
        let name = try #require(FolderListing.names(in: cache).first)
        unlink("\(cache)/\(name)")
        try #require(mkfifo("\(cache)/\(name)", 0o600) == 0)
        #expect(scan.run() == expected)
        mkdir("\(workshop.folder)/logs", 0o700)
        try #require(mkfifo("\(workshop.folder)/logs/loud.so.log", 0o600) == 0)
        try workshop.makeEngine(["IN_VOICE=print"], named: "loud")
        #expect(scan.run().map { $0.engine?.id } == ["faulty", "tone"])
    }

    @Test("works without a folder that its cache can be written to")
    func noCache() throws {
        let workshop = try EngineWorkshop()
        try workshop.copyTone()
        // A file is in the way, also of the superuser.
        try Data().write(to: URL(filePath: "\(workshop.folder)/file"))
        let scan = Self.scan(workshop, cache: "\(workshop.folder)/file/cache")
        for _ in 1...2 { #expect(scan.run().first?.engine?.id == "tone") }
    }

    @Test("may run twice at once")
    func twice() throws {
        let workshop = try EngineWorkshop()
        for number in 0..<6 { try workshop.copyTone(as: "tone\(number)") }
        let scan = Self.scan(workshop, cache: "\(workshop.folder)/cache")
        let other = Monitor<[PluginFile]?>(nil)
        startThread("other") {
            let files = scan.run()
            other.update { $0 = files }
        }
        let files = scan.run()
        #expect(files.count == 6)
        #expect(other.wait { $0 } == files)
        #expect(FolderListing.names(in: "\(workshop.folder)/cache").allSatisfy { $0.hasSuffix(".scan") })
    }

    @Test("says that the worker program is missing")
    func noWorker() throws {
        let workshop = try EngineWorkshop()
        try workshop.copyTone()
        let program = WorkerProgram(path: "\(workshop.folder)/none", logFolder: workshop.folder)
        let file = try #require(Self.scan(workshop, program: program).run().first)
        #expect(file.verdict == .unusable(.notStarted(.program(program.path, Errno(ENOENT)))))
    }
}
