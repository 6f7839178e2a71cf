import CommandSupport
import Foundation
import Testing
import TestSupport

/// The engine's messages about the variant of its model, and the commands that report that variant.
@Suite(.ownThreads, .espeakTurn) struct FormTests {
    @Test("A failed check is reported as a warning the first time and only as a reason after that")
    func failed() throws {
        let voice = try Voice.tiny(failsCheck: true)
        let cache = try TemporaryFolder()
        let first = try log(of: voice, cache)
        #expect(first.contains { $0.hasPrefix("1 as published until") })
        let warnings = first.filter { $0.hasPrefix("2 The model runs as published") }
        #expect(warnings.count == 1, "\(warnings)")
        let second = try log(of: voice, cache)
        #expect(second.contains { $0.hasPrefix("1 as published, because the check failed: ") }, "\(second)")
        #expect(!second.contains { $0.hasPrefix("2 The model") }, "\(second)")
    }

    /// The engine's log lines while it loads a voice and speaks one text, each preceded by its severity.
    private func log(of voice: Voice, _ cache: TemporaryFolder) throws -> [String] {
        let start = HostLog.lineCount
        let model = try voice.load(cacheDirectory: cache.path)
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        #expect(lane.speak(voice.request("Hello there.")).samples.count > 0)
        return HostLog.lines(after: start)
    }

    @Test("A confined engine removes files left behind by a killed process, but not files that another process uses")
    func leftovers() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let voice = try Voice.tiny()
        let added = try home.run("models", "add", voice.model)
        try #require(added.code == 0, "\(added.errors)")
        let cache = "cache/synthhost/engine/piper"
        let dead = try ChildProcess.ended()
        let (left, held) = ("\(cache)/old.unfinished-\(dead)-0", "\(cache)/new.unfinished-\(dead)-1")
        let alive = "\(cache)/old.unfinished-\(getpid())-0"
        for folder in [left, held, alive] { try home.write("x", to: "\(folder)/weights") }
        try home.write("", to: "\(held)/lock")
        let lock = try HeldRecordLock(home.file("\(held)/lock"))
        func speak() throws {
            #expect(try home.run("speak", "-v", "Tiny", "Hello.", "-o", home.file("x.wav")).code == 0)
        }
        try speak()
        #expect(!home.exists(left) && home.exists(held) && home.exists(alive))
        lock.release()
        try speak()
        #expect(!home.exists(held) && home.exists(alive))
    }

    @Test("The doctor and a voice's details report the variant of installed models without loading them")
    func doctor() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let voice = try Voice.tiny()
        let added = try home.run("models", "add", voice.model)
        try #require(added.code == 0, "\(added.errors)")

        let records = try #require(FileManager.default.subpaths(atPath: home.file("data/synthhost/models"))).filter {
            $0.hasSuffix(".json")
        }.map { home.file("data/synthhost/models/\($0)") }
        func speak() throws { try #require(try home.run("speak", "-v", "Tiny", "--raw", "Hello.").code == 0) }
        // The voice's loudness was measured when the voice was added.
        try FileManager.default.removeItem(atPath: home.file("cache/synthhost/engine/piper"))
        let unmade = try home.run("doctor", devices: .silent).text
        #expect(unmade.contains("model: Tiny from piper: as published until"), "\(unmade)")
        try speak()
        let rewritten = "ok    model: Tiny from piper: rewritten: in 3 parts, "
        let past = Date(timeIntervalSince1970: 1_000_000)
        for record in records { try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: record) }
        // Without this variable, the doctor would load this voice, as `speak` does.
        let other = ["SYNTHHOST_ENGINE": "espeak-ng"]
        let text = try home.run("doctor", adding: other, devices: .silent).text
        #expect(text.contains(rewritten), "\(text)")
        let details = try home.run("voices", "Tiny").text
        #expect(details.contains("  model     rewritten: in 3 parts, "), "\(details)")
        let json = try home.run("doctor", "--json", adding: other, devices: .silent).text
        #expect(json.contains("\"Tiny from piper: rewritten: in 3 parts, "), "\(json)")
        let switched = other.merging(["SYNTHHOST_ORIGINAL_MODELS": "1"]) { $1 }
        let off = try home.run("doctor", adding: switched, devices: .silent).text
        #expect(
            off.contains("model: Tiny from piper: as published, because SYNTHHOST_ORIGINAL_MODELS is 1\n"), "\(off)")

        try #require(!records.isEmpty)
        for record in records {
            let date = try FileManager.default.attributesOfItem(atPath: record)[.modificationDate] as? Date
            #expect(date == past, "\(record)")
        }
    }

    @Test("The doctor reports why an installed model does not load and that speech still works")
    func unloadable() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let voice = try Voice.tiny()
        try #require(try home.run("models", "add", voice.model).code == 0)
        let folder = home.file("data/synthhost/models")
        let model = try #require(FileManager.default.subpaths(atPath: folder)?.first { $0.hasSuffix(".onnx") })
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(folder)/\(model)"))
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try handle.close()
        let result = try home.run("doctor", adding: ["SYNTHHOST_ENGINE": "espeak-ng"], devices: .silent)
        #expect(result.text.contains("note  model: "), "\(result.text)")
        #expect(result.code == 0)
    }
}
