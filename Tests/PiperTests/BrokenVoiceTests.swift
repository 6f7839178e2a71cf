import CSynthEngine
import Foundation
import Testing
import TestSupport

@Suite(.espeakTurn) struct BrokenVoiceTests {
    private func expect(_ failure: ErrorReport.Failure?, role: String, says words: String) {
        #expect(failure?.status == SYNTH_BAD_FILE)
        #expect(failure?.role == role)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "no failure")")
        #expect(failure?.message.contains("/") == false)
    }

    @Test("A truncated, empty or HTML model file is reported as damaged", arguments: ["cut", "empty", "html"])
    func model(kind: String) throws {
        let voice = try Voice()
        let whole = try Data(contentsOf: URL(filePath: voice.model))
        let content =
            switch kind {
            case "cut": whole.prefix(whole.count * 2 / 3)
            case "empty": Data()
            default: Data("<!DOCTYPE html><html><body>Not Found</body></html>".utf8)
            }
        let path = try voice.folder.write(content, to: "broken.onnx")
        let broken = Voice(folder: voice.folder, model: path, config: voice.config)
        expect(try broken.loadError(), role: "model", says: "model")
    }

    @Test(
        "A truncated, empty or HTML configuration is reported as damaged",
        arguments: ["html", "cut", "empty"])
    func config(kind: String) throws {
        let voice = try Voice()
        let whole = try Data(contentsOf: URL(filePath: voice.config))
        let content =
            switch kind {
            case "cut": whole.prefix(whole.count / 2)
            case "empty": Data()
            default: Data("<!DOCTYPE html><html><body>Not Found</body></html>".utf8)
            }
        let broken = Voice(
            folder: voice.folder, model: voice.model, config: try voice.folder.write(content, to: "broken.json"))
        expect(try broken.loadError(), role: "config", says: "not JSON")
    }

    @Test("The error for an incomplete configuration names the missing key", arguments: ["audio", "phoneme_id_map"])
    func lacking(key: String) throws {
        expect(try Voice { $0[key] = nil }.loadError(), role: "config", says: "\"\(key)\"")
    }

    @Test("An ID map without a pad, begin or end symbol is rejected", arguments: ["_", "^", "$"])
    func map(symbol: String) throws {
        let voice = try Voice { json in
            var map = json["phoneme_id_map"] as? [String: Any] ?? [:]
            map[symbol] = nil
            json["phoneme_id_map"] = map
        }
        expect(try voice.loadError(), role: "config", says: "\"\(symbol)\"")
    }

    @Test("The error for an invalid configuration includes the position")
    func types() throws {
        expect(try Voice { $0["phoneme_id_map"] = "none" }.loadError(), role: "config", says: "phoneme_id_map")
        expect(try Voice { $0["audio"] = ["sample_rate": -1] }.loadError(), role: "config", says: "sample rate")
        expect(
            try Voice { $0["inference"] = ["length_scale": 0] }.loadError(), role: "config", says: "scale")
    }

    @Test(
        "The error for an unsupported phoneme type includes the voice",
        arguments: ["pinyin", "hebrew", "japanese", "thai"])
    func phonemeType(type: String) throws {
        let failure = try Voice { $0["phoneme_type"] = type }.loadError()
        #expect(failure?.status == SYNTH_FAILED)
        #expect(
            failure?.message.contains("test-voice") == true && failure?.message.contains("not supported yet") == true)
    }

    @Test("The error names missing files")
    func missing() throws {
        let voice = try Voice()
        let engine = try LoadedEngine(product: "Piper")
        for (files, role) in [(["model": voice.model], "config"), (["config": voice.config], "model")] {
            do {
                try engine.load("test-voice", files: files).unload()
                Issue.record("The voice should have been refused.")
            } catch let failure as ErrorReport.Failure {
                #expect(failure.status == SYNTH_MISSING_FILE && failure.role == role)
            }
        }
    }

    @Test("An unknown espeak-ng voice causes an error when speaking, and the error names it")
    func espeakVoice() throws {
        let recording = try Voice { $0["espeak"] = ["voice": "xx-none"] }.speak("Hello.")
        #expect(recording.status == SYNTH_FAILED)
        #expect(recording.outcome.message.contains("xx-none"))
    }

    @Test("A voice with one speaker in the model and several in the configuration is rejected")
    func speakers() throws {
        expect(try Voice { $0["num_speakers"] = 4 }.loadError(), role: "model", says: "speaker")
    }

    /// The fixture, with its inputs renamed to names of the same length.
    private func renamed(_ names: [(String, String)]) throws -> ErrorReport.Failure? {
        let voice = try Voice()
        var bytes = Array(try Data(contentsOf: URL(filePath: voice.model)))
        for (old, new) in names {
            // A name is a protobuf field, so it is preceded by its length.
            let from = [UInt8(old.utf8.count)] + Array(old.utf8)
            let to = [UInt8(new.utf8.count)] + Array(new.utf8)
            while let range = bytes.firstRange(of: from) { bytes.replaceSubrange(range, with: to) }
        }
        let path = try voice.folder.write(bytes, to: "renamed.onnx")
        return try Voice(folder: voice.folder, model: path, config: voice.config).loadError()
    }

    @Test("A model with unexpected inputs is rejected as not being a Piper voice, and a Kokoro model is recognized")
    func inputs() throws {
        expect(try renamed([("scales", "skales")]), role: "model", says: "\"scales\"")
        expect(try renamed([("input_lengths", "style_lengths")]), role: "model", says: "\"input_lengths\"")
        expect(try renamed([("input", "style"), ("scales", "speeds")]), role: "model", says: "not a Piper voice")
    }

    @Test("A model with NaN output is reported as damaged, and none of its audio is passed on")
    func noNumbers() throws {
        let voice = try Voice()
        let bytes = Voice.withoutNumbers(Array(try Data(contentsOf: URL(filePath: voice.model))))
        let path = try voice.folder.write(bytes, to: "nan.onnx")
        let recording = try Voice(folder: voice.folder, model: path, config: voice.config).speak("Test 1.")
        #expect(recording.status == SYNTH_BAD_FILE)
        #expect(recording.outcome.role == "model")
        #expect(recording.samples.isEmpty)
    }
}
