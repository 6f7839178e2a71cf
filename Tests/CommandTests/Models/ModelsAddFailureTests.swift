import CommandSupport
import Foundation
import Glibc
import Testing
import TestSupport

@Suite("Failures of models add", .ownThreads)
struct ModelsAddFailureTests {
    /// A user with the working voice "Bell", from the moody engine.
    private struct Fixture {
        let home: UserHome

        init(withBell: Bool = true) throws {
            home = try UserHome()
            try home.install("moody")
            guard withBell else { return }
            try home.write("speaks", to: "good/bell.mood")
            let added = try home.run("models", "add", home.file("good/bell.mood"), "-l", "en")
            try #require(added.code == 0, "\(added.errors)")
        }

        /// The paths of all files in the store.
        var stored: [String] {
            let root = home.file("data/synthhost/models")
            return (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []).sorted()
        }

        func speaks() throws -> Bool {
            try home.run("speak", "-v", "Bell", "hello", "-o", home.file("a.wav")).code == 0
        }
    }

    @Test(
        "If an engine cannot use its voice, the voice is discarded, and the error is reported",
        arguments: [("crash", 70), ("exit", 70), ("lie", 70), ("nonsense", 69)])
    func tryOut(mood: String, code: Int32) throws {
        let fixture = try Fixture(withBell: false)
        try fixture.home.write(mood, to: "bell.mood")
        let added = try fixture.home.run("models", "add", fixture.home.file("bell.mood"), "-l", "en")
        #expect(added.code == code, "\(added.errors)")
        #expect(!added.errors.contains("is ready"))
        #expect(fixture.stored.isEmpty)
    }

    @Test("If a replacement fails, the previous voice with that ID is kept", arguments: ["crash", "nonsense"])
    func before(mood: String) throws {
        let fixture = try Fixture()
        let before = fixture.stored
        try fixture.home.write(mood, to: "bell.mood")
        #expect(try fixture.home.run("models", "add", fixture.home.file("bell.mood"), "-l", "en").code != 0)
        #expect(fixture.stored == before)
        #expect(try fixture.speaks())
    }

    @Test("A working voice replaces the previous voice with that ID")
    func replaces() throws {
        let fixture = try Fixture()
        try fixture.home.write("speaks better", to: "bell.mood")
        #expect(try fixture.home.run("models", "add", fixture.home.file("bell.mood"), "-l", "en").code == 0)
        let files = fixture.stored.filter { $0.hasSuffix("/bell.mood") }
        #expect(files.count == 1)
        #expect(try fixture.home.data("data/synthhost/models/" + (files.first ?? "")) == Data("speaks better".utf8))
        #expect(try fixture.speaks())
    }

    @Test(
        "A signal while a new voice is being tested leaves no files behind",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func stoppedInTryOut(signal: Int32, code: Int32) throws {
        let fixture = try Fixture()
        let before = fixture.stored
        try fixture.home.write("hangs", to: "bell.mood")
        let process = try fixture.home.start(["models", "add", fixture.home.file("bell.mood"), "-l", "en"])
        var found: Int32?
        try process.wait(
            "the worker",
            until: { _ in
                found = ProcessTable.children(of: process.identifier).first
                return found != nil
            })
        let worker = try #require(found)
        process.signal(signal)
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == code, "\(result.errors)")
        #expect(result.errors.contains("run the same command again"))
        #expect(ProcessTable.waitForEnd(of: worker))
        #expect(fixture.stored == before)
        #expect(try fixture.speaks())
    }

    @Test("A signal during the unpacking of an archive leaves no files behind")
    func stoppedWhileUnpacking() throws {
        let fixture = try Fixture(withBell: false)
        // Random bytes take longest to unpack.
        let line = "cd \"$HOME\" && head -c 16000000 /dev/urandom > big && tar -cjf x.tar.bz2 big"
        let made = try ChildProcess(
            "/usr/bin/env", arguments: ["sh", "-c", line].map { Array($0.utf8) }, environment: fixture.home.environment
        ).finish()
        try #require(made.code == 0)
        let process = try fixture.home.start(["models", "add", fixture.home.file("x.tar.bz2"), "-l", "en"])
        try process.wait("the first bytes", until: { _ in fixture.stored.contains { $0.contains("unpacked") } })
        process.signal(SIGINT)
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 130, "\(result.errors)")
        #expect(fixture.stored.isEmpty)
    }

    @Test("Named pipes are rejected immediately")
    func pipe() throws {
        let fixture = try Fixture(withBell: false)
        let path = fixture.home.file("bell.mood")
        #expect(mkfifo(path, 0o600) == 0)
        let added = try fixture.home.run("models", "add", path, "-l", "en")
        #expect(added.code == 66)
        #expect(added.errors.contains("not a regular file"))
    }

    @Test(
        "If a model's configuration file is missing, the error names it, even if another engine accepts all files",
        .enabled(if: BuildFolder.hasNeuralEngines))
    func missingDescription() throws {
        let home = try UserHome(programs: BuildFolder.path)
        try home.write("weights", to: "en_GB-mine.onnx")
        let added = try home.run("models", "add", home.file("en_GB-mine.onnx"), "-l", "en-US")
        #expect(added.code == 66, "\(added.errors)")
        #expect(added.errors.contains("en_GB-mine.onnx.json is missing next to"))
        #expect(!added.errors.contains("tone"))
    }

    @Test(
        "Models are recognized by their contents, and the error names any missing files",
        .enabled(if: BuildFolder.hasNeuralEngines),
        arguments: [
            (
                "kokoro-tern.onnx",
                "mine.onnx is a model for the engine kokoro, but at least one voice file (style)"
            ),
            ("en_US-tern-x_low.onnx", "mine.onnx.json is missing next to"),
        ])
    func knownModel(fixture: String, words: String) throws {
        let home = try UserHome(programs: BuildFolder.path)
        let voices = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Voices")
        try home.write([UInt8](Data(contentsOf: voices.appending(path: fixture))), to: "mine.onnx")
        for options in [[], ["-e", "kokoro"]] where options.isEmpty || fixture.hasPrefix("kokoro") {
            let added = try home.run(["models", "add", home.file("mine.onnx"), "-l", "en-US"] + options)
            #expect(added.code == 66)
            #expect(added.errors.contains(words), "\(added.errors)")
            let command = "synthhost models add \(home.file("mine.onnx")) voices-v1.0.bin"
            #expect(added.errors.contains(command) == fixture.hasPrefix("kokoro"))
        }
    }

    @Test("Progress is shown if an engine takes a long time to load")
    func shown() throws {
        let fixture = try Fixture(withBell: false)
        try fixture.home.write("hangs", to: "bell.mood")
        let screen = try Screen()
        let process = try fixture.home.begin(
            ["models", "add", fixture.home.file("bell.mood"), "-l", "en"], on: screen.terminal)
        try screen.wait(for: "Testing Bell…")
        process.interrupt()
        #expect(try screen.finish(process).code == 130, "\(screen.text)")
        #expect(fixture.stored.isEmpty)
    }

    @Test("Files for an engine without model files are rejected")
    func noFiles() throws {
        let home = try UserHome()
        try home.write("weights", to: "mine.bin")
        let added = try home.run("models", "add", home.file("mine.bin"), "-l", "en", "-e", "espeak-ng")
        #expect(added.code == 64)
        #expect(added.errors.contains("The engine espeak-ng does not support custom files."))
    }

    @Test(
        "Reaching the file size limit leaves no files behind",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer needs files."))
    func fileLimit() throws {
        let fixture = try Fixture(withBell: false)
        try fixture.home.write("speaks", to: "x.mood")
        let line =
            "ulimit -f 0; exec '\(fixture.home.programs)/synthhost' models add '\(fixture.home.file("x.mood"))' -l en"
        let added = try ChildProcess(
            "/bin/sh", arguments: ["-c", line].map { Array($0.utf8) }, environment: fixture.home.environment
        ).finish()
        #expect(added.code == 74 && added.errors.contains("it would exceed the file size limit"), "\(added.errors)")
        #expect(fixture.stored.isEmpty, "\(fixture.stored)")
    }

    @Test("Line breaks are removed from a name")
    func names() throws {
        let fixture = try Fixture(withBell: false)
        try fixture.home.write("speaks", to: "x.mood")
        for name in ["Evil\nsynthhost: all is well", "turned\u{202E}", String(repeating: "!", count: 1000), "-o", " "] {
            let added = try fixture.home.run("models", "add", fixture.home.file("x.mood"), "-l", "en", "--name=\(name)")
            #expect(added.code == 64)
            #expect(added.errors.split(separator: "\n").count == 2)
            #expect(!added.errors.contains("\u{202E}"))
        }
        #expect(fixture.stored.isEmpty)
    }
}
