import CommandSupport
import Foundation
import Glibc
import Testing
import TestSupport

/// Runs the engine the way a user does: through the program, in a separate process.
@Suite(.ownThreads) struct CommandLineTests {
    private static let model = try? Data(contentsOf: URL(filePath: Fixtures.model))
    private static let style = try? Data(contentsOf: URL(filePath: Fixtures.voice("af_tern.bin")))

    @Test("A blend is downloaded, selected, and spoken using the weighted style rows")
    func blend() throws {
        let server = try VoiceServer()
        let home = server.home
        let asked = try home.run("speak", "-v", "Tern*5+Skua*3", "--verbatim", "Test 1.", "-o", home.file("a.wav"))
        #expect(asked.code == 69 && asked.errors.contains("is not downloaded"), "\(asked.errors)")
        let chosen = try home.run("voices", "choose", "Tern*5+Skua*3", "--yes")
        #expect(chosen.code == 0 && chosen.errors.contains("62.5 % Tern + 37.5 % Skua"), "\(chosen.errors)")
        let spoken = try home.run("speak", "--verbatim", "Test 1.", "-o", home.file("a.wav"))
        try #require(spoken.code == 0, "\(spoken.errors)")
        let first = try Fixtures.row(ModelSound.test1.count, of: "af_tern")
        let second = try Fixtures.row(ModelSound.test1.count, of: "bm_tern")
        let expected = try ModelSound.samples(
            ModelSound.test1, style: zip(first, second).map { 0.625 * $0 + 0.375 * $1 })
        let gains = try gains(of: "Tern*5+Skua*3", home)
        try #require(gains.count == 2)
        let gain = Float(pow(10, (0.625 * gains[0] + 0.375 * gains[1]) / 20))
        let samples = try home.wav("a.wav").samples
        let heard = ModelSound.heard(expected)
        #expect(samples.count == heard.count)
        let largest = zip(samples, heard).map { (Float($0) / 32_768 - $1 * gain).magnitude }.max() ?? 1
        // Half a quantization step of 16-bit audio.
        #expect(largest <= 0.5 / 32_768 + 1e-5, "\(largest)")
    }

    /// The gains in decibels that adjust each voice of a blend to the common loudness.
    private func gains(of voices: String, _ home: UserHome) throws -> [Double] {
        let told = try home.run("voices", voices, "--json")
        let list = try JSONSerialization.jsonObject(with: Data(told.text.utf8)) as? [[String: Any]]
        return (list ?? []).compactMap { $0["gain"] as? Double }
    }

    @Test("The log states why a voice's model is not rewritten, but nothing is logged if rewrites are disabled")
    func rewriting() throws {
        let server = try VoiceServer()
        let home = server.home
        try #require(try home.run("voices", "choose", "Tern", "--yes").code == 0)
        let reason = "because no norm gets its scale and bias from a style vector"
        let speak = ["speak", "--verbose", "-o", home.file("a.wav"), "--verbatim", "Test 1."]
        for _ in 0..<2 {
            let spoken = try home.run(speak)
            #expect(spoken.code == 0 && spoken.errors.contains(reason), "\(spoken.errors)")
        }
        let original = try home.run(speak, adding: ["SYNTHHOST_ORIGINAL_MODELS": "1"])
        #expect(original.code == 0 && !original.errors.contains("rewritten"), "\(original.errors)")
    }

    @Test("If a file is unsuitable for its role, the error names it, and the voice is not added")
    func damage() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let model = try #require(Self.model)
        let style = try #require(Self.style)
        let piper = try Data(contentsOf: URL(filePath: Fixtures.voice("en_US-tern-x_low.onnx")))
        let html = Data("<!DOCTYPE html><html>Not Found</html>".utf8)
        let npz = try Data(contentsOf: URL(filePath: Fixtures.kokoro("terns.npz")))
        let damages: [(id: String, model: Data, style: Data, words: String)] = [
            ("af_piper", piper, style, "The model is a Piper voice"),
            ("af_cut", model.prefix(model.count / 2), style, "The model cannot be loaded"),
            ("af_page", model, html, "The style file of the voice \"af_page\" is a web page"),
            ("af_short", model, style.dropLast(4), "The style file of the voice \"af_short\" has 522236 bytes"),
            ("af_other", model, npz, "its voices are af_tern, bm_tern"),
        ]
        for damage in damages {
            let added = try VoiceServer.add(
                damage.id, ["voice.onnx": damage.model, "voice.style": damage.style], to: home)
            #expect(added.code == 69 && added.errors.contains(damage.words), "\(added.code) \(added.errors)")
            if damage.id == "af_other" { #expect(added.errors.contains("select one:")) }
            let spoken = try home.run("speak", "-v", damage.id, "--verbatim", "Test 1.", "-o", home.file("a.wav"))
            #expect(spoken.code == 69 && spoken.errors.contains("No voice"), "\(spoken.code) \(spoken.errors)")
            #expect(!home.exists("a.wav"))
        }
    }

    @Test("A missing style file is reported even if the file was removed only after the voice was added")
    func missingStyle() throws {
        let server = try VoiceServer()
        let home = server.home
        let added = try VoiceServer.add("af_half", ["voice.onnx": try #require(Self.model)], to: home)
        #expect(added.code == 66 && added.errors.contains("style"), "\(added.errors)")
        #expect(try home.run("models", "pull", "Tern", "-q").code == 0)
        let folder = home.file("data/synthhost/models")
        let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        let style = try #require(names.first { $0.hasSuffix("af_tern.bin") })
        try FileManager.default.removeItem(atPath: "\(folder)/\(style)")
        let spoken = try home.run("speak", "-v", "Tern", "--verbatim", "Test 1.", "-o", home.file("a.wav"))
        #expect(spoken.code == 69, "\(spoken.errors)")
        #expect(spoken.errors.contains("Tern is not downloaded") && spoken.errors.contains("models pull Tern"))
    }

    @Test("A voice in an archive is found by the ID that it was given when it was added")
    func archive() throws {
        let npz = try Data(contentsOf: URL(filePath: Fixtures.kokoro("terns.npz")))
        let home = try UserHome(programs: BuildFolder.path)
        for id in ["af_tern", "bm_tern"] {
            let added = try VoiceServer.add(id, ["voice.onnx": try #require(Self.model), "voice.style": npz], to: home)
            #expect(added.code == 0, "\(added.errors)")
            let spoken = try home.run("speak", "-v", id, "--verbatim", "Test 1.", "-o", home.file("\(id).wav"))
            #expect(spoken.code == 0, "\(spoken.errors)")
        }
        #expect(try home.data("af_tern.wav") != home.data("bm_tern.wav"))
    }

    @Test(
        "Several of the user's voices share a copy of their model, keep the names of their files, and can be blended",
        arguments: [["af_tern.bin", "bm_tern.bin"], ["terns.npz"], ["voices-v1.0.bin"]])
    func bundle(voices: [String]) throws {
        let home = try UserHome(programs: BuildFolder.path)
        // kokoro-onnx publishes its archive under this name.
        try home.write(
            Array(try Data(contentsOf: URL(filePath: Fixtures.kokoro("terns.npz")))), to: "voices-v1.0.bin")
        let paths = voices.map { name in
            name.hasPrefix("voices")
                ? home.file(name) : name.hasSuffix(".npz") ? Fixtures.kokoro(name) : Fixtures.voice(name)
        }
        let added = try home.run(["models", "add", Fixtures.model] + paths + ["-l", "en-US"])
        try #require(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("Tern (American) is ready.") && added.errors.contains("Tern (British) is ready."))
        func stored() -> [String] {
            let walk = FileManager.default.enumerator(atPath: home.file("data/synthhost/models"))
            return walk?.allObjects as? [String] ?? []
        }
        #expect(stored().filter { $0.hasSuffix(".onnx") }.count == 1)
        for voice in ["af_tern", "Tern (British)", "af_tern+bm_tern"] {
            let spoken = try home.run("speak", "-v", voice, "--verbatim", "Test 1.", "-o", home.file("\(voice).wav"))
            #expect(spoken.code == 0, "\(spoken.errors)")
        }
        #expect(try home.data("af_tern.wav") != home.data("Tern (British).wav"))
        #expect(try home.run("models", "prune").errors.contains("All files are needed."))
        #expect(try home.run("models", "verify").code == 0)
        #expect(try home.run("models", "remove", "af_tern", "bm_tern").code == 0)
        #expect(stored().isEmpty)
    }

    @Test("Whatever its name, a voice speaks the language specified when it was added, even in a blend")
    func names() throws {
        let home = try UserHome(programs: BuildFolder.path)
        for (name, file) in [("nell.bin", "af_tern.bin"), ("tom.bin", "bm_tern.bin")] {
            try home.write(Array(try Data(contentsOf: URL(filePath: Fixtures.voice(file)))), to: name)
        }
        let files = ["models", "add", Fixtures.model, home.file("nell.bin"), home.file("tom.bin")]
        // Here, Tom is a name, not the language with that code.
        let mute = try home.run(files)
        #expect(mute.code == 64 && mute.errors.contains("--language"), "\(mute.errors)")
        let added = try home.run(files + ["--language", "en"])
        try #require(added.code == 0, "\(added.errors)")
        for voice in ["Nell", "Tom", "Nell*0.7+Tom*0.3"] {
            let spoken = try home.run("speak", "-v", voice, "--verbatim", "Test 1.", "-o", home.file("a.wav"))
            #expect(spoken.code == 0, "\(spoken.errors)")
        }
    }

    @Test("The command suggested for a damaged file includes all files and the language")
    func retry() throws {
        let home = try UserHome(programs: BuildFolder.path)
        try home.write("<!DOCTYPE html><html>Not Found</html>", to: "my page.bin")
        let page = home.file("my page.bin")
        let added = try home.run(["models", "add", Fixtures.model, page, "-l", "en-US"])
        #expect(added.code == 69, "\(added.errors)")
        #expect(
            added.errors.contains("synthhost models add \(Fixtures.model) \"\(page)\" --language en-US --id NAME"),
            "\(added.errors)")
    }

    @Test("A word list in the same folder as the files of a user's voice is used")
    func lexicon() throws {
        let home = try UserHome(programs: BuildFolder.path)
        var files = ["voice.onnx": try #require(Self.model), "voice.style": try #require(Self.style)]
        #expect(try VoiceServer.add("af_plain", files, to: home).code == 0)
        files["voice.lexicon"] = Data("test wˈɔTəɹ\n".utf8)
        #expect(try VoiceServer.add("af_listed", files, to: home).code == 0)
        for id in ["af_plain", "af_listed"] {
            let spoken = try home.run("speak", "-v", id, "--verbatim", "Test 1.", "-o", home.file("\(id).wav"))
            #expect(spoken.code == 0, "\(spoken.errors)")
        }
        #expect(try home.data("af_plain.wav") != home.data("af_listed.wav"))
    }

    @Test("For text without words, an error is reported and nothing is written, but emoji alone are spoken by name")
    func textsWithoutWords() throws {
        let server = try VoiceServer()
        let home = server.home
        #expect(try home.run("models", "pull", "Tern", "-q").code == 0)
        for text in ["", " ", "...", "—", "“”", "\n\n\n", "\u{200B}"] {
            let spoken = try home.run("speak", "-v", "Tern", text, "-o", home.file("a.wav"))
            #expect(spoken.code == 66 && spoken.errors.contains("nothing to speak"), "\(spoken.code) \(spoken.errors)")
            #expect(!home.exists("a.wav"))
        }
        let spoken = try home.run("speak", "-v", "Tern", "👍🏽 😀", "-o", home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try home.wav("a.wav").samples.count > 12_000)
    }

    @Test("A voice in a language that the engine cannot speak is not added")
    func japanese() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let added = try VoiceServer.add(
            "jf_own", ["voice.onnx": try #require(Self.model), "voice.style": try #require(Self.style)], language: "ja",
            to: home)
        #expect(added.code == 69)
        #expect(
            added.errors.contains("The voice \"jf_own\" speaks Japanese, which is not supported yet."),
            "\(added.errors)")
        #expect(try home.run("speak", "-v", "jf_own", "--verbatim", "Test 1.", "-o", home.file("a.wav")).code == 69)
    }

    @Test("A text of 65,536 bytes without punctuation starts playing immediately, and Ctrl-C leaves a complete file")
    func endless() throws {
        let server = try VoiceServer()
        let home = server.home
        #expect(try home.run("models", "pull", "Tern", "-q").code == 0)
        try home.write(String(repeating: "water ", count: 10_922) + "end.", to: "long.txt")
        let process = try home.start(
            ["speak", "-v", "Tern", "-f", home.file("long.txt"), "--raw"], output: .pipe)
        // Ten seconds of audio.
        try process.waitForOutput(count: 24_000 * 2 * 10)
        process.signal(SIGINT)
        #expect(try process.finish().code == 130)
    }
}
