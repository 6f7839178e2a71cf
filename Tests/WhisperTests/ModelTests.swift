import EngineKit
import Foundation
import Synchronization
import SynthRecognizerParts
import Testing
import TestSupport

@testable import SynthInference
@testable import SynthWhisper

/// These tests use a small model with random weights.
@Suite("Whisper models", .serialized) struct ModelTests {
    private func transcriber(cache: String? = nil) throws -> WhisperTranscriber {
        try WhisperTranscriber(Fixture.files, threads: 1, cacheDirectory: cache)
    }

    private func find(_ model: WhisperModel, width: Int, isTimed: Bool) throws -> TokenSearch.Found {
        let stop = RunStop(queue: model.queue)
        var listener = ModelTranscriber(model, stop: stop)
        var scorer = ModelScorer(model, for: try listener.encode(Fixture.sound(2.3)[...]), stop: stop)
        var search = TokenSearch(
            rules: TokenRules(table: model.table, configuration: model.configuration, isTimed: isTimed), width: width,
            givesUpLoops: false)
        search.maximumTokens = 16
        let untimed = isTimed ? [] : [model.table.untimed]
        return try search.find([model.table.start, 271, model.table.transcribe] + untimed, with: &scorer)
    }

    @Test("With greedy search and with five hypotheses, the model produces the reference tokens") func tokens() throws {
        let model = try transcriber().model
        for expected in try Fixture.expected().texts {
            let found = try find(model, width: expected.width, isTimed: expected.isTimed)
            #expect(found.tokens == expected.tokens)
            #expect(abs(found.mean - expected.mean) < 1e-4)
        }
        // The graph broadcasts one recording to several hypotheses.
        #expect(model.batches.known == .once)
    }

    @Test("If only digital silence has been appended, the window is not encoded again") func encodedOnce() throws {
        let model = try transcriber().model
        var listener = ModelTranscriber(model, stop: RunStop(queue: model.queue))
        func mean(_ samples: [Float], place: Int = 0) throws -> Double {
            var request = WindowRequest(language: "en", isTimed: false)
            (request.maximumTokens, request.isChecked, request.place) = (8, false, place)
            return try listener.transcribeWindow(samples[...], request) { _ in }.mean
        }
        let (sound, silence) = (Fixture.sound(2), [Float](repeating: 0, count: 8000))
        let other = sound.map { -0.5 * $0 * $0 }
        let first = try mean(sound)
        // Other samples yield the same mean only if the previous output was reused.
        let isReused = model.contract.frameCount != nil
        #expect(try (mean(other + silence) == first) == isReused)
        #expect(try mean(other + silence, place: 1) != first)
        #expect(try mean(sound + sound) != first)
        #expect(try mean(sound) == first)
    }

    @Test("If the audio is repeated for each hypothesis, the tokens are the same") func repeated() throws {
        let model = try transcriber().model
        model.batches.note(.repeated)
        for expected in try Fixture.expected().texts where expected.width > 1 {
            #expect(try find(model, width: 5, isTimed: expected.isTimed).tokens == expected.tokens)
        }
    }

    @Test("The language and the probability of silence match the reference") func language() throws {
        let model = try transcriber().model
        let stop = RunStop()
        var listener = ModelTranscriber(model, stop: stop)
        var scorer = ModelScorer(model, for: try listener.encode(Fixture.sound(2.3)[...]), stop: stop)
        let rows = try scorer.begin([model.table.start], scoresAt: [0])
        let rules = TokenRules(table: model.table, configuration: model.configuration, isTimed: true)
        let expected = try Fixture.expected()
        #expect(rules.language(rows[0])?.code == expected.language)
        #expect(abs(rules.probabilityOfQuiet(rows[0]) - expected.quiet) < 1e-5)
    }

    @Test("A model loaded from the cache produces the same text") func cache() throws {
        let folder = try TemporaryFolder()
        let first = try transcriber(cache: folder.path).transcribe(Fixture.sound(3))
        let model = try transcriber(cache: folder.path)
        #expect(model.model.decoder.isFromCache && model.model.encoder.isFromCache)
        let second = try model.transcribe(Fixture.sound(3))
        #expect(!first.text.isEmpty && second.text == first.text)
        #expect(second.segments.map(\.seconds) == first.segments.map(\.seconds))
        // The graphs in the cache are rewritten, so confidences differ by rounding errors.
        for (one, other) in zip(first.segments, second.segments) {
            #expect(abs(one.confidence - other.confidence) < 1e-4)
        }
    }

    @Test("Attention yields word times that are in order and within the audio") func words() throws {
        var options = DecodingOptions()
        options.wantsWords = true
        options.language = "de"
        let transcript = try transcriber().transcribe(Fixture.sound(4), options)
        let words = transcript.segments.flatMap(\.words)
        for word in words {
            #expect(word.seconds.lowerBound >= 0 && word.seconds.upperBound <= 4.02)
            #expect((0...1).contains(word.confidence))
        }
        for (first, second) in zip(words, words.dropFirst()) {
            #expect(first.seconds.lowerBound <= second.seconds.lowerBound)
        }
    }

    @Test("The model lists its languages") func languages() throws {
        let transcriber = try transcriber()
        #expect(transcriber.languages == ["en", "de", "ja", "jv"])
        var options = DecodingOptions()
        options.language = "fr-CA"
        #expect { try transcriber.transcribe([0.1], options) } throws: {
            ($0 as? EngineError)?.message.contains("language") ?? false
        }
    }

    @Test("NaN and infinite samples are rejected, and empty audio yields no text") func sound() throws {
        let transcriber = try transcriber()
        #expect(try transcriber.transcribe([]) == Transcript())
        #expect { try transcriber.transcribe([0.1, .nan, 0.1]) } throws: {
            ($0 as? EngineError)?.message.hasPrefix("The audio") ?? false
        }
        _ = try transcriber.transcribe([0.5])
    }

    @Test("A stop request takes effect before and between tokens") func stop() throws {
        let transcriber = try transcriber()
        let early = transcriber.makeStop()
        early.stop()
        #expect(throws: Stopped.self) { try transcriber.transcribe(Fixture.sound(2), stop: early) }
        let late = transcriber.makeStop()
        let count = Mutex(0)
        #expect(throws: Stopped.self) {
            try transcriber.transcribe(
                Fixture.sound(2), stop: late,
                report: { _ in
                    count.withLock {
                        $0 += 1
                        if $0 == 3 { late.stop() }
                    }
                    return true
                })
        }
        #expect(count.withLock { $0 } == 3)
        // A stopped run does not affect the model.
        #expect(try find(transcriber.model, width: 1, isTimed: false).tokens == Fixture.expected().texts[0].tokens)
    }

    @Test("Concurrent transcriptions produce the same results as consecutive ones") func together() async throws {
        let transcriber = try transcriber()
        let expected = try transcriber.transcribe(Fixture.sound(2))
        try await withThrowingTaskGroup(of: Transcript.self) { group in
            for _ in 0..<4 { group.addTask { try transcriber.transcribe(Fixture.sound(2)) } }
            for try await found in group { #expect(found == expected) }
        }
    }
}

@Suite("Model files") struct BrokenModelTests {
    private func reason(_ change: (inout WhisperFiles) -> Void) -> String? {
        var files = Fixture.files
        change(&files)
        do {
            _ = try WhisperTranscriber(files, threads: 1)
            return nil
        } catch {
            return (error as? EngineError)?.role
        }
    }

    @Test("Errors name files that are missing or of the wrong kind") func missing() {
        #expect(reason { $0.encoder = "/nowhere" } == "encoder")
        #expect(reason { $0.decoder = "/nowhere" } == "decoder")
        #expect(reason { $0.tokenizer = "/nowhere" } == "tokenizer")
        #expect(reason { $0.configuration = "/nowhere" } == "config")
        #expect(reason { $0.tokenizer = $0.encoder } == "tokenizer")
        #expect(reason { $0.configuration = $0.encoder } == "config")
        #expect(reason { $0.encoder = $0.decoder } == "encoder")
        #expect(reason { $0.decoder = $0.encoder } == "decoder")
        #expect(reason { $0.decoder = $0.tokenizer } == "decoder")
        #expect(reason { $0.configuration = nil } == nil)
    }

    @Test(
        "A damaged file either causes an error or still works",
        arguments: ["encoder_model.onnx", "decoder_model_merged.onnx"])
    func damaged(_ name: String) throws {
        let folder = try TemporaryFolder()
        let bytes = try Fixture.content(name)
        var random = SystemRandomNumberGenerator()
        for turn in 0..<24 {
            var damaged = bytes
            if turn.isMultiple(of: 2) {
                damaged.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            } else {
                for _ in 0..<8 { damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255) }
            }
            let path = try folder.write(Data(damaged), to: "damaged-\(turn).onnx")
            var files = Fixture.files
            if name.hasPrefix("enc") { files.encoder = path } else { files.decoder = path }
            do {
                let transcriber = try WhisperTranscriber(files, threads: 1)
                _ = try transcriber.transcribe(Fixture.sound(0.5))
            } catch {
                #expect((error as? EngineError)?.description.isEmpty == false)
            }
        }
    }
}
