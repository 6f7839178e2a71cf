import CommandSupport
import Foundation
import Glibc
import Testing
import TestSupport

/// Tests a user's own voices with the real command line: a valid voice speaks, and the error for a broken voice names the voice and the
/// next command.
@Suite(.ownThreads, .espeakTurn) struct CommandLineTests {
    private static let name = "en_US-tern-x_low"

    private let home: UserHome

    init() throws { home = try UserHome(programs: BuildFolder.path) }

    /// Writes a modified copy of the small voice to the home folder under a different name.
    private func put(
        _ name: String, model: (Data) -> Data = { $0 }, config: (inout [String: Any]) -> Void = { _ in }
    ) throws -> String {
        let voice = try Voice("tern", config)
        try home.write(Array(model(try Data(contentsOf: URL(filePath: voice.model)))), to: "\(name).onnx")
        try home.write(Array(try Data(contentsOf: URL(filePath: voice.config))), to: "\(name).onnx.json")
        return home.file("\(name).onnx")
    }

    private func refuses(_ path: String, naming file: String, saying words: String) throws {
        let result = try home.run("models", "add", path, "--language", "en-US")
        #expect(result.code == 69)
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("synthhost: \(file): ") == true, "\(result.errors)")
        #expect(lines.first?.contains(words) == true, "\(result.errors)")
        #expect(lines.last?.hasSuffix("synthhost models add \(path) --language en-US") == true, "\(result.errors)")
        #expect(try !home.run("models", "list").text.contains("piper"))
    }

    @Test("A user's own voice speaks as soon as it is added")
    func own() throws {
        let added = try home.run("models", "add", try put(Self.name))
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("synthhost speak -v Tern"))
        let spoken = try home.run("speak", "-v", "Tern", "-o", home.file("a.wav"), "Hello there.")
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try home.wav("a.wav").samples.count > 10_000)
    }

    @Test("The log states why a voice's model is not rewritten, but nothing is logged if rewrites are disabled")
    func rewriting() throws {
        try #require(try home.run("models", "add", try put(Self.name)).code == 0)
        let reason = "because no section of the model's final part has a bounded receptive field; the vocoder"
        let speak = ["speak", "-v", "Tern", "--verbose", "-o", home.file("a.wav"), "Hello."]
        for _ in 0..<2 {
            let spoken = try home.run(speak)
            #expect(spoken.code == 0 && spoken.errors.contains(reason), "\(spoken.errors)")
        }
        let original = try home.run(speak, adding: ["SYNTHHOST_ORIGINAL_MODELS": "1"])
        #expect(original.code == 0 && !original.errors.contains("rewritten"), "\(original.errors)")
    }

    @Test("Repeated synthesis of a text produces different audio unless variation is turned off")
    func variation() throws {
        let inference = ["noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8]
        let voice = try put(Self.name, config: { $0["inference"] = inference })
        try #require(try home.run("models", "add", voice).code == 0)
        let text = "Hello there."
        let steady = try home.run("speak", "-v", "Tern", "--raw", "--variation", "0", text)
        #expect(steady.code == 0 && steady.output.count > 10_000, "\(steady.errors)")
        let again = try home.run("speak", "-v", "Tern", "--raw", "--variation", "0%", text)
        #expect((again.output == steady.output) == true)
        let free = try home.run("speak", "-v", "Tern", "--raw", text)
        #expect(free.code == 0 && (free.output == steady.output) == false)
    }

    @Test("An archive from sherpa-onnx becomes a voice with its speakers")
    func archive() throws {
        let folder = "vits-piper-en_US-flock-x_low"
        let voice = try Voice("flock")
        for (from, to) in [(voice.model, "en_US-flock-x_low.onnx"), (voice.config, "en_US-flock-x_low.onnx.json")] {
            try home.write(Array(try Data(contentsOf: URL(filePath: from))), to: "\(folder)/\(to)")
        }
        try home.write("_ 0\n", to: "\(folder)/tokens.txt")
        try home.write("A card.\n", to: "\(folder)/MODEL_CARD")
        try home.write("data", to: "\(folder)/espeak-ng-data/lang/gmw/en")
        let archive = home.file(folder + ".tar.bz2")
        let packed = try ChildProcess(
            "/usr/bin/env", arguments: ["tar", "cjf", archive, "-C", home.path, folder].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
        try #require(packed.code == 0, "\(packed.errors)")

        let added = try home.run("models", "add", archive)
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.errors.contains("-v Flock"))
        let spoken = try home.run(
            "speak", "-v", "Flock", "--speaker", "gb_female", "-o", home.file("a.wav"), "Hello there.")
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try home.wav("a.wav").samples.count > 10_000)
        let left = try FileManager.default.contentsOfDirectory(atPath: home.file("data/synthhost/models"))
        #expect(left.allSatisfy { !$0.hasSuffix(".part") }, "\(left)")
    }

    @Test("A damaged archive is rejected")
    func damagedArchive() throws {
        try home.write("BZh9 and nothing else", to: "vits-piper-en_US-x-low.tar.bz2")
        let result = try home.run("models", "add", home.file("vits-piper-en_US-x-low.tar.bz2"))
        #expect(result.code == 69)
        #expect(result.errors.contains("vits-piper-en_US-x-low.tar.bz2 could not be unpacked"), "\(result.errors)")
    }

    @Test("A truncated model is rejected")
    func cut() throws {
        try refuses(
            try put("cut", model: { $0.prefix(1_000_000) }), naming: "cut.onnx", saying: "it is truncated")
    }

    @Test("An HTML page instead of the configuration is rejected")
    func page() throws {
        let path = try put("page")
        try home.write("<!DOCTYPE html><html>Not found</html>", to: "page.onnx.json")
        try refuses(path, naming: "page.onnx.json", saying: "is not JSON")
    }

    @Test("A model with unexpected inputs is rejected")
    func inputs() throws {
        let path = try put(
            "names",
            model: { model in
                var bytes = Array(model)
                while let range = bytes.firstRange(of: [6] + Array("scales".utf8)) {
                    bytes.replaceSubrange(range, with: [6] + Array("skales".utf8))
                }
                return Data(bytes)
            })
        try refuses(path, naming: "names.onnx", saying: "no input \"scales\"")
    }

    @Test("An ID map without a pad symbol is rejected")
    func pad() throws {
        let path = try put(
            "nopad",
            config: { json in
                var map = json["phoneme_id_map"] as? [String: Any] ?? [:]
                map["_"] = nil
                json["phoneme_id_map"] = map
            })
        try refuses(path, naming: "nopad.onnx.json", saying: "no ID for the symbol \"_\"")
    }

    @Test("A model with NaN output is rejected")
    func noNumbers() throws {
        let path = try put("nan", model: { Data(Voice.withoutNumbers(Array($0))) })
        try refuses(path, naming: "nan.onnx", saying: "not finite numbers")
    }

    @Test("A Kokoro model is rejected")
    func kokoro() throws {
        let path = try put("kokoro")
        let model = URL(filePath: try Voice().model).deletingLastPathComponent().appending(path: "kokoro-tern.onnx")
        try home.write(Array(try Data(contentsOf: model)), to: "kokoro.onnx")
        try refuses(path, naming: "kokoro.onnx", saying: "is a Kokoro voice")
    }

    @Test("An unsupported phoneme type is rejected")
    func phonemeType() throws {
        let result = try home.run("models", "add", try put("mandarin", config: { $0["phoneme_type"] = "pinyin" }))
        #expect(result.code == 69)
        #expect(result.errors.contains("\"mandarin\"") && result.errors.contains("not supported yet"))
    }

    @Test("A file that was damaged after it was added is reported when speaking")
    func later() throws {
        _ = try home.run("models", "add", try put(Self.name))
        let store = URL(filePath: home.file("data/synthhost/models"))
        let model = try #require(
            FileManager.default.enumerator(at: store, includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL }.first { $0.pathExtension == "onnx" })
        // The size does not change, so only the engine can detect the damage.
        var bytes = Array(try Data(contentsOf: model))
        for index in bytes.indices.dropFirst(64).prefix(4096) { bytes[index] = 0xFF }
        try Data(bytes).write(to: model)
        let result = try home.run("speak", "-v", "Tern", "-o", home.file("a.wav"), "Hello.")
        #expect(result.code == 69)
        #expect(result.errors.contains("synthhost: \(model.path): "), "\(result.errors)")
        #expect(result.errors.contains("add it again with: synthhost models add PATH --id en_US-tern-x_low"))
    }

    @Test("A text of 64 KiB without punctuation starts to play, and text that contains only emoji is not an error")
    func strangeTexts() throws {
        _ = try home.run("models", "add", try put(Self.name))
        try home.write("👍🏽👨‍👩‍👧‍👦🇩🇪", to: "emoji.txt")
        let emoji = try home.run("speak", "-v", "Tern", "-f", home.file("emoji.txt"), "-o", home.file("e.wav"))
        #expect(emoji.code == 0, "\(emoji.errors)")
        try home.write(String(repeating: "word ", count: 13_107), to: "long.txt")
        let long = try home.start(["speak", "-v", "Tern", "-f", home.file("long.txt"), "--raw", "-o", "-"])
        try long.waitForOutput(count: 1 << 18)
        long.signal(SIGINT)
        #expect(try long.finish().code == 130)
    }
}
