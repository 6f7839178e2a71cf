import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("models list, verify, prune, remove and path", .ownThreads)
struct ModelsMaintenanceTests {
    private func fixture(_ voices: String...) throws -> RegistryFixture {
        let fixture = try RegistryFixture()
        let pulled = try fixture.home.run(["models", "pull"] + voices)
        try #require(pulled.code == 0, "\(pulled.errors)")
        return fixture
    }

    private func state(_ fixture: RegistryFixture, _ name: String) throws -> [String: Any]? {
        let listed = try fixture.home.run("models", "list", "--json", "--all")
        let voices = try #require(JSONSerialization.jsonObject(with: Data(listed.output)) as? [[String: Any]])
        return voices.first { $0["name"] as? String == name }
    }

    @Test("The list shows the downloaded voices by language and marks the default voice")
    func list() throws {
        let fixture = try fixture("Nature", "Left", "Brook")
        #expect(try fixture.home.run("voices", "choose", "Nature").code == 0)
        let listed = try fixture.home.run("models", "list")
        let rows = listed.lines.dropFirst()
        #expect(rows.map { $0.contains("Nature (British)") } == [true, false, false])
        #expect(rows.filter { $0.contains("en-US") }.count == 1)
        #expect(rows.filter { $0.hasPrefix("*") }.count == 1)
        #expect(rows.first?.hasPrefix("*") == true)
        #expect(rows.allSatisfy { $0.contains("ready") && $0.contains("today") })
        #expect(!listed.text.contains("nature_1"))
        #expect(try fixture.home.run("models", "list", "--ids").text.contains("nature_1"))
        let bySize = try fixture.home.run("models", "list", "--sort", "size")
        #expect(bySize.lines.dropFirst().first?.contains("Left") == true)
        #expect(try fixture.home.run("models", "list", "--sort", "colour").code == 64)
    }

    @Test("The list includes the size of the engines' caches")
    func prepared() throws {
        let fixture = try fixture("Nature")
        #expect(!(try fixture.home.run("models", "list").errors.contains("The engine caches")))
        try fixture.home.write([UInt8](repeating: 1, count: 2_000_000), to: "cache/synthhost/engine/tone/form/weights")
        let listed = try fixture.home.run("models", "list")
        #expect(listed.errors.contains("use another 2.0 MB"), "\(listed.errors)")
        #expect(listed.errors.contains(fixture.home.file("cache/synthhost")))
        #expect(try state(fixture, "Nature")?["engineCacheBytes"] as? Int == 2_000_000)
    }

    @Test("A download that never started is not listed and leaves no files behind")
    func neverBegan() throws {
        let fixture = try RegistryFixture { _, _ in .init(status: 404) }
        for voice in ["Nature", "Left"] { #expect(try fixture.home.run("models", "pull", voice).code == 69) }
        #expect(!fixture.home.exists("data/synthhost/models/nature_1"))
        #expect(!fixture.home.exists("data/synthhost/models/duet"))
        // Files left behind by an older version.
        try fixture.home.write("1\n", to: "data/synthhost/models/brook_1/.lock")
        try fixture.home.write("", to: "data/synthhost/models/brook_1/0000/brook.pitch.part")
        let listed = try fixture.home.run("models", "list")
        #expect(listed.output == [] && listed.errors.hasPrefix("No voices are downloaded."), "\(listed.text)")
    }

    @Test("With --all, the list also includes voices that are not downloaded")
    func listAll() throws {
        let fixture = try fixture("Nature")
        #expect(!(try fixture.home.run("models", "list").text.contains("Brook")))
        let all = try fixture.home.run("models", "list", "--all").lines
        #expect(all.first { $0.contains("Brook") }?.contains("not downloaded") == true)
        #expect(try state(fixture, "Right")?["state"] as? String == "notDownloaded")
        #expect((try state(fixture, "Right")?["bytesToDownload"] as? Int) == 200_000)
    }

    @Test("A file with a single incorrect byte is detected and is repaired on request")
    func verify() throws {
        let fixture = try fixture("Nature", "Brook")
        #expect(try fixture.home.run("models", "verify").code == 0)
        let file = try #require(fixture.stored("nature.pitch").first)
        var bytes = Array(try fixture.home.data(file))
        bytes[50] ^= 1
        try fixture.home.write(bytes, to: file)
        let found = try fixture.home.run("models", "verify")
        #expect(found.code == 69)
        #expect(found.text.contains("nature.pitch: its content has changed since it was installed"))
        #expect(found.errors.contains("Damaged: Nature (British)."))
        #expect(found.errors.contains("synthhost models verify --repair"))
        #expect(try state(fixture, "Nature")?["state"] as? String == "notDownloaded")
        let repaired = try fixture.home.run("models", "verify", "Nature", "--repair")
        #expect(repaired.code == 0, "\(repaired.errors)")
        #expect(Array(try fixture.home.data(file)) == RegistryFixture.files["/nature.pitch"])
        #expect(try fixture.home.run("models", "verify").code == 0)
    }

    @Test("A voice with a missing file is listed as not downloaded, and the message names the file")
    func missingFile() throws {
        let fixture = try fixture("Nature")
        let file = try #require(fixture.stored("nature.pitch").first)
        try FileManager.default.removeItem(atPath: fixture.home.file(file))
        let listed = try fixture.home.run("voices")
        let row = listed.lines.first { $0.contains("Nature") }
        #expect(row?.contains("not downloaded: nature.pitch is missing") == true, "\(listed.text)")
        let spoken = try fixture.home.run("speak", "-v", "Nature", "hello", "-o", fixture.home.file("a.wav"))
        #expect(spoken.code == 69)
        #expect(spoken.errors.contains("nature.pitch is missing"))
        #expect(spoken.errors.contains("synthhost models pull Nature"))
        #expect(try fixture.home.run("models", "pull", "Nature").code == 0)
        #expect(try fixture.home.run("speak", "-v", "Nature", "hello", "-o", fixture.home.file("a.wav")).code == 0)
    }

    @Test("Removing a voice also removes its configuration key and, unless other voices use it, its model")
    func remove() throws {
        let fixture = try fixture("Left", "Right")
        #expect(try fixture.home.run("voices", "choose", "Right").code == 0)
        let first = try fixture.home.run("models", "remove", "Left")
        #expect(first.code == 0, "\(first.errors)")
        #expect(fixture.stored("duet.pitch").count == 1)
        #expect(try fixture.configured("voices.tone") == "Right")
        let second = try fixture.home.run("models", "remove", "Right")
        #expect(second.code == 0)
        #expect(second.errors.contains(" was the chosen voice for tone, which"))
        #expect(fixture.stored("duet.pitch").isEmpty)
        #expect(try fixture.configured("voices.tone") == "")
        let spoken = try fixture.home.run("speak", "hello", "-o", fixture.home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try fixture.home.run("models", "remove", "Right").errors.contains("Right is not downloaded."))
        #expect(try fixture.home.run("models", "remove", "Sine").errors.contains("built into tone"))
    }

    @Test("Files that killed processes left behind in engine caches are removed, but files in use are not")
    func unfinished() throws {
        let fixture = try fixture("Nature")
        let home = fixture.home
        let cache = "cache/synthhost/engine/tone"
        let dead = try ChildProcess.ended()
        // The first entry is from an earlier version, which identified entries by process ID. No process holds the lock of
        // the second entry, although its process ID has been reused.
        try home.write([UInt8](repeating: 1, count: 2_000_000), to: "\(cache)/a.unfinished-\(dead)-0/weights")
        try home.write([UInt8](repeating: 1, count: 1_000_000), to: "\(cache)/b.unfinished-\(getpid())-0/weights")
        try home.write("", to: "\(cache)/b.unfinished-\(getpid())-0/lock")
        // Two other entries are in use: one is from an earlier version, and the process of the other is not visible.
        try home.write("x", to: "\(cache)/c.unfinished-\(getpid())-1/weights")
        try home.write("x", to: "\(cache)/d.unfinished-\(dead)-2/weights")
        try home.write("", to: "\(cache)/d.unfinished-\(dead)-2/lock")
        let holder = try HeldRecordLock(home.file("\(cache)/d.unfinished-\(dead)-2/lock"))
        try home.write("x", to: "\(cache)/whole/weights")

        let shown = try home.run("models", "prune", "--dry-run")
        #expect(
            shown.lines.count == 2
                && shown.text.contains("a.unfinished-\(dead)-0: the process that was preparing it has exited, 2.0 MB"))
        #expect(
            shown.text.contains("b.unfinished-\(getpid())-0: ") && shown.errors.contains("3.0 MB would be freed"),
            "\(shown)")
        let json = try home.run("models", "prune", "--dry-run", "--json").text
        #expect(json.contains(#""bytes":2000000,"#) && json.contains(#""stays":false"#), "\(json)")
        let pruned = try home.run("models", "prune")
        #expect(pruned.text == shown.text && pruned.errors.contains("3.0 MB was freed."), "\(pruned.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.file(cache)).sorted()
        #expect(left == ["c.unfinished-\(getpid())-1", "d.unfinished-\(dead)-2", "whole"])
        #expect(try home.run("models", "prune").errors.contains("All files are needed."))
        withExtendedLifetime(holder) {}
    }

    @Test("The caches, logs and records of engines that are no longer installed are removed")
    func absentEngines() throws {
        let fixture = try fixture("Nature")
        let home = fixture.home
        for path in [
            "cache/synthhost/engine/gone/x", "cache/synthhost/recognizer/gone/x", "cache/synthhost/gone/x",
            "state/synthhost/logs/gone.so.log",
            "cache/synthhost/engine/.gone.12-1/x", "cache/synthhost/tone/moved/later",
            "cache/synthhost/engine/tone/kept",
            "state/synthhost/logs/libTone.so.log",
        ] { try home.write("x", to: path) }
        try home.install("reed")
        _ = try home.run("engines", "list")
        let scans = try FileManager.default.contentsOfDirectory(atPath: home.file("cache/synthhost/_host/scans")).count
        try FileManager.default.removeItem(atPath: "\(home.plugins)/reed.so")
        let pruned = try home.run("models", "prune")
        #expect(pruned.code == 0 && pruned.text.contains("engine/gone: its engine is not installed"), "\(pruned)")
        #expect(pruned.text.contains("synthhost/gone: only an earlier version of synthhost uses it"), "\(pruned)")
        for path in [
            "cache/synthhost/engine/gone", "cache/synthhost/recognizer/gone", "cache/synthhost/engine/.gone.12-1",
            "cache/synthhost/tone",
            "cache/synthhost/gone", "state/synthhost/logs/gone.so.log",
        ] {
            #expect(!home.exists(path), "\(path)")
        }
        for path in ["cache/synthhost/engine/tone/kept", "state/synthhost/logs/libTone.so.log"] {
            #expect(home.exists(path), "\(path)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.file("cache/synthhost/_host/scans")).count < scans)
    }

    @Test("Unused files are removed, or only listed with --dry-run")
    func prune() throws {
        let fixture = try fixture("Nature")
        try fixture.home.write("half", to: "data/synthhost/models/brook_1/0123456789abcdef/brook.pitch.part")
        try fixture.home.write("x", to: "data/synthhost/models/stranger/1/file.part")
        let shown = try fixture.home.run("models", "prune", "--dry-run")
        #expect(shown.code == 0)
        #expect(shown.lines.count == 2)
        #expect(shown.text.contains("its download is unfinished") && shown.text.contains("it is not in any registry"))
        #expect(fixture.home.exists("data/synthhost/models/stranger/1/file.part"))
        let pruned = try fixture.home.run("models", "prune")
        #expect(pruned.text == shown.text)
        #expect(!fixture.home.exists("data/synthhost/models/stranger"))
        #expect(fixture.stored(".part").isEmpty)
        #expect(try state(fixture, "Nature")?["state"] as? String == "ready")
        #expect(try fixture.home.run("models", "prune").errors.contains("All files are needed."))
    }

    @Test("Pruning keeps and reports files that are not store entries and then continues")
    func pruneForeign() throws {
        let fixture = try fixture("Nature")
        try fixture.home.write("half", to: "data/synthhost/models/brook_1/0123456789abcdef/brook.pitch.part")
        try fixture.home.write("mine", to: "data/synthhost/models/notes.txt")
        try fixture.home.write("mine", to: "photos/one.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: fixture.home.file("data/synthhost/models/photos"), withDestinationPath: fixture.home.file("photos"))
        let pruned = try fixture.home.run("models", "prune")
        #expect(pruned.code == 0, "\(pruned.errors)")
        #expect(pruned.lines.count == 1 && pruned.text.contains("its download is unfinished"))
        #expect(pruned.errors.contains("notes.txt: it is not a voice folder."))
        #expect(pruned.errors.contains("photos: it is a link to a different location."))
        #expect(fixture.stored(".part").isEmpty)
        #expect(fixture.home.exists("data/synthhost/models/notes.txt") && fixture.home.exists("photos/one.jpg"))
    }

    @Test("Unknown files are kept and reported")
    func strangers() throws {
        let fixture = try fixture("Nature", "Brook")
        let models = "data/synthhost/models"
        let revision = try #require(fixture.stored("nature.pitch").first?.dropLast("nature.pitch".count))
        let mine = [
            "\(models)/photos/p.jpg", "\(models)/joe/joe.onnx", "\(models)/nature_1/notes.txt", "\(revision)more.txt",
        ]
        for name in mine { try fixture.home.write("mine", to: name) }
        let pruned = try fixture.home.run("models", "prune", "--unknown")
        #expect(pruned.code == 0 && pruned.output.isEmpty, "\(pruned.text)")
        for name in ["photos", "joe"] {
            #expect(
                pruned.errors.contains("\(fixture.home.file("\(models)/\(name)")): synthhost did not create it."))
        }
        let removed = try fixture.home.run("models", "remove", "Nature")
        #expect(removed.code == 0 && removed.errors.contains("Removed Nature (British): "), "\(removed.errors)")
        #expect(removed.errors.contains(" was freed."), "\(removed.errors)")
        for name in mine.dropFirst(2) {
            #expect(
                removed.errors.contains("\(fixture.home.file(name)): synthhost did not create it."),
                "\(removed.errors)")
        }
        #expect(fixture.stored("nature.pitch").isEmpty)
        // Downloads do not remove the user's files either.
        #expect(try fixture.home.run("models", "pull", "Nature").code == 0)
        #expect(try state(fixture, "Nature")?["state"] as? String == "ready")
        for name in mine { #expect(try fixture.home.data(name) == Data("mine".utf8), "\(name)") }
    }

    @Test("Complete voices that are not in any registry are kept unless --unknown is given")
    func pruneUnknown() throws {
        let fixture = try fixture("Nature", "Left")
        try FileManager.default.removeItem(atPath: fixture.home.file("data/synthhost/models.json"))
        let pruned = try fixture.home.run("models", "prune")
        #expect(pruned.code == 0)
        #expect(pruned.lines.isEmpty)
        #expect(pruned.errors.contains("nature_1: it is not in any registry, and it is complete"))
        #expect(pruned.errors.contains("synthhost models prune --unknown"))
        #expect(fixture.stored("nature.pitch").count == 1 && fixture.stored("duet.pitch").count == 1)
        #expect(try fixture.home.run("models", "prune", "--unknown").lines.count == 2)
        #expect(fixture.stored("nature.pitch").isEmpty)
        // The next run removes the model, which is no longer in use.
        #expect(try fixture.home.run("models", "prune").code == 0)
        #expect(fixture.stored("duet.pitch").isEmpty)
    }

    @Test("The user is asked about complete voices that are not in any registry", arguments: [("n\r", 1), ("y\r", 0)])
    func pruneAsks(answer: String, left: Int) throws {
        let fixture = try fixture("Nature")
        try FileManager.default.removeItem(atPath: fixture.home.file("data/synthhost/models.json"))
        let screen = try Screen()
        let process = try fixture.begin("models", "prune", on: screen)
        try screen.wait(for: "Remove them? [y/N] ")
        screen.terminal.type(answer)
        #expect(try screen.finish(process).code == 0)
        #expect(fixture.stored("nature.pitch").count == left)
    }

    @Test("A user's damaged voice stays marked until it is repaired or removed")
    func ownDamage() throws {
        let fixture = try RegistryFixture()
        let home = fixture.home
        try home.write("440\n", to: "my_bell.pitch")
        #expect(try home.run("models", "add", home.file("my_bell.pitch"), "-l", "en").code == 0)
        let file = try #require(fixture.stored("my_bell.pitch").first)
        func speak() throws -> ChildResult { try home.run("speak", "-v", "my bell", "hi", "-o", home.file("a.wav")) }
        try home.write("441\n", to: file)
        #expect(try speak().code == 0)
        let found = try home.run("models", "verify", "--repair")
        #expect(found.code == 69)
        #expect(found.errors.contains("add it again with `synthhost models add PATH --id my_bell`"))
        #expect(found.errors.contains("synthhost models remove \"My bell\""))
        let row = try home.run("models", "list").lines.first { $0.contains("My bell") }
        #expect(row?.contains("damaged: my_bell.pitch: its content has changed since it was installed") == true)
        let mute = try speak()
        #expect(mute.code == 69)
        #expect(mute.errors.contains("The voice My bell is damaged: my_bell.pitch"))
        #expect(mute.errors.contains("synthhost models add PATH --id my_bell"))
        #expect(try home.run("models", "prune").errors.contains("All files are needed."))
        try home.write("440\n", to: file)
        #expect(try home.run("models", "verify").code == 0)
        #expect(try speak().code == 0)
        try home.write("441\n", to: file)
        #expect(try home.run("models", "verify").code == 69)
        #expect(try home.run("models", "remove", "my bell").code == 0)
        #expect(fixture.stored("").isEmpty)
    }

    @Test("If a name is ambiguous, nothing is removed, and the error tells the user what to type")
    func removeAmbiguous() throws {
        let home = try UserHome()
        for id in ["bell-1", "bell-2"] {
            try home.write("440\n", to: "\(id).pitch")
            let added = try home.run(
                "models", "add", home.file("\(id).pitch"), "-l", "en", "--name", "Bell")
            #expect(added.code == 0)
            #expect(!added.errors.contains("speak -v Bell") || id == "bell-1")
        }
        for command in [["models", "remove", "Bell"], ["speak", "-v", "Bell", "hello", "-o", home.file("a.wav")]] {
            let refused = try home.run(command)
            #expect(refused.code == 69)
            #expect(refused.errors.contains("\"Bell\" matches several voices: bell-1, bell-2."), "\(refused.errors)")
        }
        #expect(try home.run("models", "remove", "bell-1").code == 0)
        #expect(try home.run("speak", "-v", "Bell", "hello", "-o", home.file("a.wav")).code == 0)
    }

    @Test("`models path` prints the path of the folder that contains all voices, or of the given voice's folder")
    func path() throws {
        let fixture = try fixture("Nature")
        #expect(try fixture.home.run("models", "path").text == fixture.home.file("data/synthhost/models") + "\n")
        let folder = try fixture.home.run("models", "path", "nature").text.dropLast()
        #expect(FileManager.default.fileExists(atPath: folder + "/nature.pitch"))
        #expect(try fixture.home.run("models", "path", "Brook").code == 69)
    }
}
