import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Scanning the plugins folders", .ownThreads)
struct ScanTests {
    /// The real worker, started by a script that counts the starts.
    private struct CountingWorker {
        let program: WorkerProgram
        private let tally: String

        init(_ fixture: EngineFixture) throws {
            tally = "\(fixture.folder)/starts"
            program = WorkerProgram(path: "\(fixture.folder)/synthhost-worker", logFolder: "\(fixture.folder)/logs")
            let script = "#!/bin/sh\necho >> '\(tally)'\nexec '\(fixture.program.path)' \"$@\"\n"
            try GeneratedProgram.write(script, to: program.path)
        }

        var starts: Int { FileManager.default.contents(atPath: tally)?.count ?? 0 }
    }

    private static func scan(
        _ fixture: EngineFixture, folders: [String]? = nil, program: WorkerProgram? = nil, cache: String? = nil,
        limits: EngineLimits = .short()
    ) -> PluginScan {
        PluginScan(
            folders: folders ?? [fixture.plugins], program: program ?? fixture.program, limits: limits,
            cacheFolder: cache)
    }

    @Test("Valid and invalid files are listed by name; other files and missing folders are skipped")
    func mixture() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone(as: "c")
        try fixture.makeEngine(["IN_VOICE=crash"], named: "b")
        try fixture.write(Data(), as: "a.so")
        try fixture.write(Data(), as: "readme.txt")
        let files = Self.scan(fixture, folders: ["/nowhere", fixture.plugins, fixture.plugins]).run()
        #expect(files.map(\.path) == ["a", "b", "c"].map { "\(fixture.plugins)/\($0).so" })
        #expect(files.map { $0.engine?.id } == [nil, nil, "tone"])
        #expect(files[1].verdict == .unusable(.crashed(signal: SIGSEGV, .describing)))
    }

    @Test("A folder that cannot be read is listed as unusable, along with the error")
    func unreadableFolder() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone(as: "a")
        // Opening a link to itself fails, even for a user who may read all folders.
        let link = "\(fixture.folder)/link"
        symlink(link, link)
        let scan = Self.scan(fixture, folders: [link, fixture.plugins])
        let reason = EngineFailure.Reason.refused(Refusal(.cannotBeRead(.crossesLinks)))
        #expect(scan.run().map(\.verdict).last == .unusable(reason) && scan.run().first?.engine?.id == "tone")
        #expect(scan.recognizers().map(\.verdict) == [.failure(EngineFailure(engine: link, reason: reason))])
    }

    @Test("If several engines have the same ID, the first is used, and the verdicts for the others name that engine")
    func shadows() throws {
        let fixture = try EngineFixture()
        let other = "\(fixture.folder)/other"
        mkdir(other, 0o700)
        let first = try fixture.copyTone(as: "z", in: other)
        let second = try fixture.copyTone(as: "a")
        try fixture.makeEngine(["IN_VOICE=crash"], named: "tone", in: other)
        let files = Self.scan(fixture, folders: [other, fixture.plugins]).run()
        #expect(files.count == 3)
        guard case .shadowed(let engine, let owner) = files[2].verdict else {
            Issue.record("\(files[2])")
            return
        }
        #expect(files[2].path == second && engine.id == "tone" && owner == first)
    }

    @Test("Each of fifty plugins is scanned once, and none are scanned again by the next scan")
    func cache() throws {
        let fixture = try EngineFixture()
        let worker = try CountingWorker(fixture)
        for number in 0..<50 { try fixture.copyTone(as: "tone\(number)") }
        let scan = Self.scan(fixture, program: worker.program, cache: "\(fixture.folder)/cache")
        let first = scan.run()
        #expect(first.count == 50 && worker.starts == 50)
        #expect(scan.run() == first)
        #expect(worker.starts == 50)
        #expect(scan.run(anew: true) == first)
        #expect(worker.starts == 100)
    }

    @Test("A file is scanned for the kinds whose entry functions it exports, or for both if it exports neither")
    func kinds() throws {
        let fixture = try EngineFixture()
        let worker = try CountingWorker(fixture)
        try fixture.copyTone()
        try FixtureEngines.write("Plugins/Scripted/scripted", to: "\(fixture.plugins)/scripted.so")
        let scan = Self.scan(fixture, program: worker.program)
        #expect(scan.run().map { $0.verdict == .recognizer } == [true, false])
        #expect(worker.starts == 2)
        #expect(scan.recognizers().map(\.description?.id) == ["scripted"])
        #expect(worker.starts == 3)
        try fixture.write(Data("text".utf8), as: "none.so")
        #expect(scan.run().count == 3 && scan.recognizers().count == 2)
        #expect(worker.starts == 8)
    }

    @Test("A failed engine is scanned again, and a worker that was killed from outside is restarted immediately")
    func memory() throws {
        let fixture = try EngineFixture()
        let worker = try CountingWorker(fixture)
        try fixture.makeEngine(["IN_VOICE=crash"], named: "crash")
        let scan = Self.scan(fixture, program: worker.program, cache: "\(fixture.folder)/cache")
        let first = scan.run()
        #expect(first.map(\.verdict) == [.unusable(.crashed(signal: SIGSEGV, .describing))])
        #expect(worker.starts == 1)
        #expect(scan.run() == first)
        #expect(worker.starts == 2)
        unlink("\(fixture.plugins)/crash.so")
        try fixture.write(Data("text".utf8), as: "refused.so")
        try fixture.makeEngine(["IN_VOICE=killed"], named: "killed")
        try fixture.makeEngine(["IN_VOICE=leave"], named: "left")
        let second = scan.run()
        #expect(second.first?.verdict == .unusable(.crashed(signal: SIGKILL, .describing)))
        #expect(worker.starts == 6)
        #expect(scan.run() == second)
        #expect(worker.starts == 10)
    }

    @Test("An engine that hangs is not cached")
    func hung() throws {
        let fixture = try EngineFixture()
        try fixture.makeEngine(["IN_VOICE=hang"], named: "hang")
        let scan = Self.scan(fixture, cache: "\(fixture.folder)/cache", limits: .short(scan: .seconds(2)))
        #expect(scan.run().map(\.verdict) == [.unusable(.hung(.seconds(2), .describing))])
        #expect(scan.known().isEmpty)
    }

    @Test("An engine whose worker was killed once is described on the second attempt")
    func killedOnce() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone()
        let script = "\(fixture.folder)/synthhost-worker"
        try GeneratedProgram.write(
            """
            #!/bin/sh
            mkdir '\(fixture.folder)/first' 2>/dev/null && kill -KILL $$
            exec '\(fixture.program.path)' "$@"

            """, to: script)
        let program = WorkerProgram(path: script, logFolder: fixture.folder)
        #expect(Self.scan(fixture, program: program).run().first?.engine?.id == "tone")
    }

    @Test("A file without a description is recognized by its name")
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

    @Test("A replaced file is scanned again, even if its size and modification time have not changed")
    func replaced() throws {
        let fixture = try EngineFixture()
        let scan = Self.scan(fixture, cache: "\(fixture.folder)/cache")
        let path = try fixture.makeEngine([#"VERSION="1.0""#])
        let new = try fixture.makeEngine([#"VERSION="2.0""#], named: "new", in: fixture.folder)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(scan.run().map { $0.engine?.version } == ["1.0"])
        let times = [status.st_atim, status.st_mtim]
        #expect(rename(new, path) == 0)
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        #expect(scan.run().map { $0.engine?.version } == ["2.0"])
    }

    @Test("A removed engine is removed from the list")
    func removed() throws {
        let fixture = try EngineFixture()
        let scan = Self.scan(fixture, cache: "\(fixture.folder)/cache")
        let path = try fixture.copyTone()
        #expect(scan.run().count == 1)
        unlink(path)
        #expect(scan.run().isEmpty)
    }

    @Test("Engines are scanned again after the worker program has changed")
    func newWorker() throws {
        let fixture = try EngineFixture()
        let worker = try CountingWorker(fixture)
        try fixture.copyTone()
        let cache = "\(fixture.folder)/cache"
        #expect(Self.scan(fixture, program: worker.program, cache: cache).run().count == 1)
        #expect(Self.scan(fixture, program: worker.program, cache: cache).run().count == 1)
        #expect(worker.starts == 1)
        let again = try CountingWorker(fixture)
        #expect(Self.scan(fixture, program: again.program, cache: cache).run().first?.engine?.id == "tone")
        #expect(again.starts == 2)
    }

    @Test("A cache entry that is damaged, truncated, or for a different file is ignored")
    func damagedCache() throws {
        let fixture = try EngineFixture()
        let worker = try CountingWorker(fixture)
        try fixture.copyTone()
        let cache = "\(fixture.folder)/cache"
        let scan = Self.scan(fixture, program: worker.program, cache: cache)
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

    @Test("A FIFO at the path of a cache entry or a log does not block the scan")
    func pipes() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone()
        let cache = "\(fixture.folder)/cache"
        let scan = Self.scan(fixture, cache: cache)
        let expected = scan.run()
        let name = try #require(FolderListing.names(in: cache).first)
        unlink("\(cache)/\(name)")
        try #require(mkfifo("\(cache)/\(name)", 0o600) == 0)
        #expect(scan.run() == expected)
        mkdir("\(fixture.folder)/logs", 0o700)
        try #require(mkfifo("\(fixture.folder)/logs/loud.so.log", 0o600) == 0)
        try fixture.makeEngine(["IN_VOICE=print"], named: "loud")
        #expect(scan.run().map { $0.engine?.id } == ["faulty", "tone"])
    }

    @Test("A scan works even if the cache is not writable")
    func noCache() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone()
        // A file at the folder's path, which also prevents root from writing.
        try Data().write(to: URL(filePath: "\(fixture.folder)/file"))
        let scan = Self.scan(fixture, cache: "\(fixture.folder)/file/cache")
        for _ in 1...2 { #expect(scan.run().first?.engine?.id == "tone") }
    }

    @Test("Two scans can run concurrently")
    func twice() throws {
        let fixture = try EngineFixture()
        for number in 0..<6 { try fixture.copyTone(as: "tone\(number)") }
        let scan = Self.scan(fixture, cache: "\(fixture.folder)/cache")
        let other = Monitor<[PluginFile]?>(nil)
        startThread("other") {
            let files = scan.run()
            other.update { $0 = files }
        }
        let files = scan.run()
        #expect(files.count == 6)
        #expect(other.wait { $0 } == files)
        #expect(FolderListing.names(in: "\(fixture.folder)/cache").allSatisfy { $0.hasSuffix(".scan") })
    }

    @Test("A missing worker program is reported")
    func noWorker() throws {
        let fixture = try EngineFixture()
        try fixture.copyTone()
        let program = WorkerProgram(path: "\(fixture.folder)/none", logFolder: fixture.folder)
        let file = try #require(Self.scan(fixture, program: program).run().first)
        #expect(file.verdict == .unusable(.notStarted(.program(program.path, Errno(ENOENT)))))
    }
}
