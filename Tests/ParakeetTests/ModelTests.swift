import EngineKit
import Foundation
import SynthInference
import Testing
import TestSupport

@testable import SynthParakeet

/// Tests that use a small model with random weights.
@Suite("Transducer models") struct ModelTests {
    private func compare(_ files: ParakeetFiles, cache: String? = nil) throws {
        let transcriber = try ParakeetTranscriber(files, threads: 1, cacheDirectory: cache)
        let all = try Fixture.expected()
        #expect(all.count == 12)
        for expected in all {
            let found = try transcriber.tokens(of: expected.samples)
            #expect(found.map(\.token) == expected.tokens && found.map(\.frame) == expected.frames)
            for (one, logarithm) in zip(found, expected.logarithms) {
                // Normalization amplifies bands that barely change, and the reference uses single precision.
                #expect(abs(one.probability - exp(logarithm)) < 5e-3)
            }
            let whole = TokenText(vocabulary: transcriber.model.vocabulary, samplesPerFrame: 1280)
                .texts(
                    try transcriber.tokens(of: expected.samples[...], stop: transcriber.makeStop()), in: 0..<1,
                    isOne: true)
            #expect(whole.map(\.text) == (expected.text.isEmpty ? [] : [expected.text]))
        }
    }

    @Test("Tokens, times and text match those of onnx-asr") func tokens() throws { try compare(Fixture.files) }

    @Test("A model split into three files, with metadata instead of a configuration, produces the same results")
    func parts() throws {
        try compare(Fixture.parts)
    }

    @Test("A model loaded from the cache, which preserves the metadata, produces the same results")
    func cache() throws {
        let folder = try TemporaryFolder()
        _ = try ParakeetTranscriber(Fixture.parts, threads: 1, cacheDirectory: folder.path).texts(
            of: Fixture.sound(1, 200, 300, 5))
        let model = try ParakeetModel(Fixture.parts, threads: 1, cacheDirectory: folder.path)
        #expect(model.encoder.isFromCache && model.decoder.isFromCache)
        #expect(model.isNormalized && model.subsampling == 8)
        #expect(try model.encoder.metadata("vocab_size") == "26")
        try compare(Fixture.parts, cache: folder.path)
    }

    @Test("Concurrent requests produce the same results as consecutive ones") func together() async throws {
        let transcriber = try ParakeetTranscriber(Fixture.files, threads: 1)
        let sound = Fixture.sound(2, 200, 300, 5)
        let expected = try transcriber.texts(of: sound).map(\.text)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try transcriber.texts(of: sound).map(\.text) } }
            for try await found in group { #expect(found == expected) }
        }
    }

    @Test("Silence, and audio shorter than a word, result in no text") func silence() throws {
        let transcriber = try ParakeetTranscriber(Fixture.files, threads: 1)
        for sound in [[], [Float](repeating: 0, count: 40_000), Array(Fixture.sound(0.09, 300, 0, 1))] {
            #expect(try transcriber.texts(of: sound).isEmpty)
        }
    }
}

@Suite("Transducer files") struct BrokenModelTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The role of the rejected file. The error must have a message.
    private func refused(_ files: ParakeetFiles) -> String? {
        do throws(EngineError) {
            _ = try ParakeetTranscriber(files, threads: 1)
            return nil
        } catch {
            #expect(error.status == .badFile && error.message.hasSuffix(".") && !error.message.contains("/"))
            return error.role
        }
    }

    private func refused(_ change: (inout ParakeetFiles) -> Void) -> String? {
        var files = Fixture.files
        change(&files)
        return refused(files)
    }

    @Test("The error names missing or invalid files") func missing() {
        #expect(refused(Fixture.files) == nil && refused(Fixture.parts) == nil)
        #expect(refused { $0.encoder = "/nowhere" } == "encoder")
        #expect(refused { $0.decoder = "/nowhere" } == "decoder")
        #expect(refused { $0.tokens = "/nowhere" } == "tokens")
        #expect(refused { $0.tokens = "/dev/null" } == "tokens")
        #expect(refused { $0.configuration = "/nowhere" } == "config")
        #expect(refused { $0.joiner = "/nowhere" } == "joiner")
        #expect(refused { $0.encoder = $0.decoder } == "encoder")
        #expect(refused { $0.decoder = $0.encoder } == "decoder")
        #expect(refused { $0.decoder = $0.tokens } == "decoder")
        #expect(refused { $0.tokens = $0.encoder } == "tokens")
        #expect(refused { $0.configuration = $0.encoder } == "config")
        #expect(refused { $0.decoder = Fixture.path("decoder.onnx") } == "decoder")
        var parts = Fixture.parts
        parts.joiner = parts.encoder
        // The model has two inputs and an output but accepts no tokens.
        #expect(refused(parts) == nil)
        #expect(throws: EngineError.self) {
            try ParakeetTranscriber(parts, threads: 1).texts(of: Fixture.sound(1, 200, 300, 5))
        }
        parts.joiner = parts.decoder
        #expect(refused(parts) == "joiner")
    }

    @Test(
        "An invalid token list is rejected",
        arguments: [
            "", "\n\n", "word", "<blk> 0 0x1", "▁a 0\n<blk> -1", "▁a 0\n<blk> 99999999999999999999", "<blk> 131072",
            "▁a 0\n▁b 0\n<blk> 1", "▁a 0\n▁b 1", "<blk> 1", "▁a 0\n<blk> 2", "<blk> 0",
        ])
    func tokens(_ text: String) throws {
        let path = try folder.write(Data(text.utf8), to: "tokens.txt")
        #expect(refused { $0.tokens = path } == "tokens")
        let noText = try folder.write(Data([0xFF, 0x20, 0x30, 0x0A] + Array("<blk> 1".utf8)), to: "none.txt")
        #expect(refused { $0.tokens = noText } == "tokens")
    }

    @Test(
        "A vocabulary size that does not match the token list is rejected",
        arguments: ["9223372036854775807", "27", "-1"])
    func otherCount(_ number: String) throws {
        let bytes = try Fixture.content("encoder-model.onnx")
        // A metadata entry of a model: its length, name and value.
        func note(_ value: String) -> [UInt8] {
            let field = [0x0A, 0x0A] + Array("vocab_size".utf8) + [0x12, UInt8(value.utf8.count)] + Array(value.utf8)
            return [0x72, UInt8(field.count)] + field
        }
        let place = try #require(bytes.firstRange(of: note("26")))
        var changed = bytes
        changed.replaceSubrange(place, with: note(number))
        let path = try folder.write(Data(changed), to: "encoder.onnx")
        #expect(refused { $0.encoder = path } == "tokens")
    }

    @Test("Token lists are read as bytes") func bytes() throws {
        let vocabulary = try TokenVocabulary(
            Array("▁\u{301}a 0\r\n\u{2028} 1\n\u{85}\u{B}\u{C} 2\r\n\r\n\u{2029}▁ 3\n<blk> 4".utf8))
        #expect(vocabulary.count == 5 && vocabulary.blank == 4)
        #expect(
            (0..<5).map { Array(vocabulary.piece($0).unicodeScalars) }
                == [" \u{301}a", "\u{2028}", "\u{85}\u{B}\u{C}", "\u{2029} ", ""].map { Array($0.unicodeScalars) })
    }

    @Test(
        "Invalid settings are rejected",
        arguments: [
            "[]", "{", "{\"subsampling_factor\":0}", "{\"subsampling_factor\":\"8\"}", "{\"subsampling_factor\":1e300}",
            "{\"max_tokens_per_step\":-1}", "{\"model_type\":\"nemo-conformer-ctc\"}",
        ])
    func configuration(_ json: String) throws {
        let path = try folder.write(Data(json.utf8), to: "config.json")
        #expect(refused { $0.configuration = path } == "config")
    }

    @Test(
        "A model whose file is truncated or modified either causes an error or still runs",
        arguments: ["encoder-model.onnx", "decoder_joint-model.onnx", "decoder.onnx", "joiner.onnx", "vocab.txt"])
    func damaged(_ name: String) throws {
        let bytes = try Fixture.content(name)
        var random = SystemRandomNumberGenerator()
        for turn in 0..<16 {
            var damaged = bytes
            if turn.isMultiple(of: 2) {
                damaged.removeLast(Int.random(in: 1...bytes.count, using: &random))
            } else {
                for _ in 0..<8 { damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255) }
            }
            let path = try folder.write(Data(damaged), to: "damaged-\(turn)")
            var files = ["decoder.onnx", "joiner.onnx"].contains(name) ? Fixture.parts : Fixture.files
            switch name {
            case "encoder-model.onnx": files.encoder = path
            case "joiner.onnx": files.joiner = path
            case "vocab.txt": files.tokens = path
            default: files.decoder = path
            }
            do {
                _ = try ParakeetTranscriber(files, threads: 1).texts(of: Fixture.sound(0.5, 200, 300, 5))
            } catch let error as EngineError {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
