import CommandSupport
import Foundation
import Testing
import TestSupport

/// Files with the names used by kokoro-onnx: one model, and one NumPy archive with all voices.
@Suite("Kokoro's published files", .ownThreads) struct PublishedFilesTests {
    /// A user whose folder `k` contains copies of the small test files.
    private func home(_ files: [String: String]) throws -> UserHome {
        let home = try UserHome(programs: BuildFolder.path)
        for (name, source) in files {
            let path = source.hasSuffix(".npz") ? Fixtures.kokoro(source) : Fixtures.voice(source)
            try home.write(Array(try Data(contentsOf: URL(filePath: path))), to: "k/\(name)")
        }
        return home
    }

    /// Writes an archive that contains one array under several names.
    private func archive(_ names: [String], _ home: UserHome, at path: String) throws {
        let script = """
            import sys, zipfile
            content = zipfile.ZipFile(sys.argv[1]).read("af_tern.npy")
            with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
                for name in sys.argv[3:]:
                    archive.writestr(name + ".npy", content)
            """
        let made = try ChildProcess(
            "/usr/bin/python3",
            arguments: (["-c", script, Fixtures.kokoro("terns.npz"), home.file(path)] + names).map { Array($0.utf8) },
            environment: home.environment
        ).finish()
        try #require(made.code == 0, "\(made.errors)")
    }

    private func listed(_ home: UserHome) throws -> [String: [String: Any]] {
        let list = try JSONSerialization.jsonObject(with: Data(try home.run("voices", "--json").output))
        var voices: [String: [String: Any]] = [:]
        for voice in list as? [[String: Any]] ?? [] where voice["engine"] as? String == "kokoro" {
            voices[voice["id"] as? String ?? ""] = voice
        }
        return voices
    }

    /// Runs the commands suggested in a message and checks that each command adds the voices that it names.
    private func obey(_ message: String, _ home: UserHome) throws {
        let commands = message.split(separator: "\n").compactMap { line in
            line.range(of: "synthhost models add ").map { String(line[$0.upperBound...]) }
        }
        #expect(!commands.isEmpty, "\(message)")
        for command in commands {
            let first = command.components(separatedBy: "; synthhost")[0]
            let added = try home.run(["models", "add"] + first.split(separator: " ").map(String.init))
            #expect(added.code == 0, "\(first): \(added.errors)")
        }
    }

    @Test(
        "All voices are added with their names and languages, from files, a folder or an archive",
        arguments: ["files", "reversed", "folder", "archive"].map {
            (names: ["kokoro-v1.0.int8.onnx", "voices-v1.0.bin"], form: $0)
        } + [
            (names: ["kokoro-v1.0.onnx", "voices-v1.0.bin"], form: "files"),
            (names: ["kokoro-v1.0.fp16.onnx", "voices-v1.0.bin"], form: "folder"),
            (names: ["kokoro-v1.1-zh.onnx", "voices-v1.1-zh.bin"], form: "archive"),
        ])
    func published(names: [String], form: String) throws {
        let home = try home([names[0]: "kokoro-tern.onnx", names[1]: "terns.npz"])
        try home.write("A README, which is no voice.", to: "k/README.md")
        try home.write("{}", to: "k/config.json")
        let files = names.map { home.file("k/\($0)") }
        var words = form == "files" ? files : form == "reversed" ? files.reversed() : [home.file("k")]
        if form == "archive" {
            let packed = try ChildProcess(
                "/usr/bin/env",
                arguments: ["tar", "-czf", home.file("k.tar.gz"), "-C", home.path, "k"].map { Array($0.utf8) },
                environment: home.environment
            ).finish()
            try #require(packed.code == 0)
            words = [home.file("k.tar.gz")]
        }
        let added = try home.run(["models", "add"] + words)
        try #require(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("Tern (American) is ready.") && added.errors.contains("Tern (British) is ready."))
        let voices = try listed(home)
        #expect(voices["af_tern"]?["language"] as? String == "en-US")
        #expect(voices["bm_tern"]?["language"] as? String == "en-GB")
        #expect(
            voices["af_tern"]?["gender"] as? String == "female" && voices["bm_tern"]?["gender"] as? String == "male")
        for voice in ["Tern (American)", "bm_tern"] {
            let spoken = try home.run("speak", "-v", voice, "--verbatim", "Test 1.", "-o", home.file("\(voice).wav"))
            #expect(spoken.code == 0, "\(spoken.errors)")
        }
        #expect(try home.data("Tern (American).wav") != home.data("bm_tern.wav"))
    }

    @Test("Voices have the names from the registry, and unsupported languages are omitted and listed")
    func names() throws {
        let home = try home(["kokoro-v1.0.onnx": "kokoro-tern.onnx"])
        try archive(
            ["af_heart", "bf_emma", "ef_dora", "af_alpha", "jf_alpha", "jm_kumo", "zf_001"], home,
            at: "k/voices-v1.0.bin")
        let added = try home.run("models", "add", home.file("k"))
        try #require(added.code == 0, "\(added.errors)")
        for title in ["Heart (American)", "Emma (British)", "Dora (Spanish)", "Alpha (American)"] {
            #expect(added.errors.contains("\(title) is ready."), "\(added.errors)")
        }
        #expect(
            added.errors.contains("Skipped Alpha (Japanese) and 1 more: Kokoro's Japanese is not supported yet."),
            "\(added.errors)")
        #expect(added.errors.contains("Skipped 001 (Mandarin)"), "\(added.errors)")
        #expect(try listed(home)["ef_dora-own"]?["language"] as? String == "es")
        // If all voices are unsupported, the error explains how to add them anyway.
        try archive(["jf_alpha"], home, at: "k/voices-v1.0.bin")
        let alone = try home.run("models", "add", home.file("k"))
        #expect(alone.code == 69 && alone.errors.contains("Alpha (Japanese) cannot be added"), "\(alone.errors)")
        try obey(alone.errors, home)
        #expect(try listed(home)["jf_alpha-own"]?["language"] as? String == "en-US")
        #expect(try home.run("voices").text.contains("Alpha (Japanese)"))
    }

    @Test("Voices for a different version of the model are not added, even if they are in the same folder")
    func otherVersion() throws {
        let home = try home(["kokoro-v1.0.onnx": "kokoro-tern.onnx"])
        try archive(["af_heart"], home, at: "k/voices-v1.0.bin")
        try archive(["af_sol"], home, at: "k/voices-v1.1-zh.bin")
        let added = try home.run("models", "add", home.file("k"))
        try #require(added.code == 0, "\(added.errors)")
        let voices = try listed(home)
        #expect(added.errors.contains("Heart (American) is ready."), "\(added.errors)")
        #expect(voices["af_sol"] == nil && voices["af_sol-own"] == nil, "\(voices.keys)")
    }

    @Test("If the model or the voices are missing, the error includes the file, its source and the command")
    func halves() throws {
        let home = try home(["kokoro-v1.0.int8.onnx": "kokoro-tern.onnx"])
        let model = home.file("k/kokoro-v1.0.int8.onnx")
        for path in [model, home.file("k")] {
            let added = try home.run("models", "add", path)
            #expect(added.code == 66 && added.errors.contains("voice file (style) is missing"), "\(added.errors)")
            #expect(
                added.errors.contains("Get voices-v1.0.bin from the release model-files-v1.0 of kokoro-onnx, https://"),
                "\(added.errors)")
            #expect(added.errors.contains("synthhost models add \(path) voices-v1.0.bin"))
        }
        // The error names files next to the given file.
        try archive(["af_heart"], home, at: "k/voices-v1.0.bin")
        let beside = try home.run("models", "add", model)
        #expect(beside.code == 66, "\(beside.errors)")
        #expect(beside.errors.contains("synthhost models add \(model) \(home.file("k/voices-v1.0.bin"))"))
        try obey(beside.errors, home)

        let voices = try self.home([:])
        try archive(["af_heart"], voices, at: "voices-v1.0.bin")
        let alone = try voices.run("models", "add", voices.file("voices-v1.0.bin"))
        #expect(alone.code == 66 && alone.errors.contains("contains voices for the engine kokoro"), "\(alone.errors)")
        #expect(alone.errors.contains("Get kokoro-v1.0.onnx from the release model-files-v1.0"), "\(alone.errors)")
        #expect(
            alone.errors.contains("synthhost models add kokoro-v1.0.onnx \(voices.file("voices-v1.0.bin"))"),
            "\(alone.errors)")
        try voices.write(Array(try Data(contentsOf: URL(filePath: Fixtures.model))), to: "kokoro-v1.0.fp16.onnx")
        let found = try voices.run("models", "add", voices.file("voices-v1.0.bin"))
        #expect(found.code == 66, "\(found.errors)")
        try obey(found.errors, voices)
    }

    @Test("If there are several models, the message lists a command for each, with the matching voices")
    func severalModels() throws {
        let home = try home([
            "kokoro-v1.0.onnx": "kokoro-tern.onnx", "kokoro-v1.0.int8.onnx": "kokoro-tern.onnx",
            "kokoro-v1.1-zh.onnx": "kokoro-tern.onnx",
        ])
        try archive(["af_heart"], home, at: "k/voices-v1.0.bin")
        try archive(["af_sol"], home, at: "k/voices-v1.1-zh.bin")
        let added = try home.run("models", "add", home.file("k"))
        #expect(added.code == 64 && added.errors.contains("contains 3 models"), "\(added.errors)")
        func pair(_ model: String, _ voices: String) -> String {
            "synthhost models add \(home.file("k/\(model)")) \(home.file("k/\(voices)"))"
        }
        #expect(added.errors.contains(pair("kokoro-v1.0.onnx", "voices-v1.0.bin")), "\(added.errors)")
        #expect(added.errors.contains(pair("kokoro-v1.0.int8.onnx", "voices-v1.0.bin")), "\(added.errors)")
        #expect(added.errors.contains(pair("kokoro-v1.1-zh.onnx", "voices-v1.1-zh.bin")), "\(added.errors)")
        try obey(added.errors, home)

        // A voice for a different engine is in the same folder.
        let mixed = try self.home([
            "kokoro-v1.0.onnx": "kokoro-tern.onnx", "en_US-tern-x_low.onnx": "en_US-tern-x_low.onnx",
            "en_US-tern-x_low.onnx.json": "en_US-tern-x_low.onnx.json",
        ])
        try archive(["af_heart"], mixed, at: "k/voices-v1.0.bin")
        let both = try mixed.run("models", "add", mixed.file("k"))
        #expect(both.code == 64 && both.errors.contains("contains 2 models"), "\(both.errors)")
        #expect(both.errors.contains("synthhost models add \(mixed.file("k/en_US-tern-x_low.onnx"))"), "\(both.errors)")
        try obey(both.errors, mixed)
    }

    @Test("Errors include the paths of damaged files as the user specified them")
    func damaged() throws {
        let home = try home(["kokoro-v1.0.onnx": "kokoro-tern.onnx"])
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                archive.writestr("af_heart.npy", b"nonsense")
                archive.writestr("nell.npy", b"nonsense")
            """
        let made = try ChildProcess(
            "/usr/bin/python3", arguments: ["-c", script, home.file("k/voices-v1.0.bin")].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
        try #require(made.code == 0)
        let unknown = try home.run("models", "add", home.file("k"))
        #expect(unknown.code == 64, "\(unknown.errors)")
        #expect(
            unknown.errors.contains(
                "Cannot determine the language of \(home.file("k/voices-v1.0.bin")): nell.npy."),
            "\(unknown.errors)")
        let broken = try home.run("models", "add", home.file("k"), "-l", "en-US")
        #expect(broken.code == 69, "\(broken.errors)")
        try home.write(Array(try home.data("k/voices-v1.0.bin").prefix(60)), to: "k/voices-v1.0.bin")
        let cut = try home.run("models", "add", home.file("k"))
        #expect(cut.code != 0, "\(cut.errors)")
        for result in [unknown, broken, cut] {
            #expect(!result.errors.contains("unpacked-") && !result.errors.contains("/models/"), "\(result.errors)")
        }
    }

    @Test("If files have unexpected names, the error names the missing role and suggests a command that works")
    func roles() throws {
        let home = try home(["mine.onnx": "kokoro-tern.onnx"])
        try home.write(Array(try Data(contentsOf: URL(filePath: Fixtures.voice("af_tern.bin")))), to: "k/voice.dat")
        let added = try home.run("models", "add", home.file("k"), "--engine", "kokoro", "--language", "en-US")
        #expect(added.code == 66 && added.errors.contains("synthhost models add \(home.file("k"))"), "\(added.errors)")
        let named = try home.run("models", "add", home.file("k/mine.onnx"), home.file("k/voice.dat"), "-l", "en-US")
        #expect(named.code == 0, "\(named.errors)")

        let piper = try UserHome(programs: BuildFolder.path)
        for (name, source) in [("bell.onnx", "en_US-tern-x_low.onnx"), ("settings.txt", "en_US-tern-x_low.onnx.json")] {
            try piper.write(Array(try Data(contentsOf: URL(filePath: Fixtures.voice(source)))), to: "p/\(name)")
        }
        let lacking = try piper.run("models", "add", piper.file("p"), "--engine", "piper")
        let move = "mv \(piper.file("p/settings.txt")) \(piper.file("p/bell.onnx.json"))"
        #expect(lacking.code == 66 && lacking.errors.contains("If \(piper.file("p/settings.txt")) is the config"))
        #expect(
            lacking.errors.contains("\(move) && synthhost models add \(piper.file("p")) --engine piper"),
            "\(lacking.errors)")
        try FileManager.default.moveItem(atPath: piper.file("p/settings.txt"), toPath: piper.file("p/bell.onnx.json"))
        #expect(try piper.run("models", "add", piper.file("p"), "--engine", "piper").code == 0)
    }
}
