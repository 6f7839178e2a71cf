import EngineKit
import Testing

@testable import SynthWhisper

@Suite("Tokens") struct TokenTests {
    @Test("The IDs of special tokens are found by name") func names() throws {
        let table = try Fixture.table()
        #expect((table.end, table.start, table.untimed, table.zero) == (268, 269, 279, 280))
        #expect(table.languages.map(\.code) == ["en", "de", "ja", "jw"])
        #expect(table.quiet == 278 && table.previous == 277 && table.translate == 274)
        #expect(table.seconds(table.zero + 75) == 1.5 && table.seconds(.max - 1000) == 30)
    }

    @Test("Tokens are decoded to text, regardless of the bytes that they contain") func text() throws {
        let table = try Fixture.table()
        let bytes = Array(" thé €".utf8)
        let tokens = bytes.compactMap { table.id([$0]) }
        #expect(tokens.count == bytes.count && table.text(tokens) == " thé €")
        // An incomplete character.
        #expect(table.text(tokens.dropLast()).hasSuffix("\u{FFFD}"))
        #expect(table.text([table.start, table.zero + 3, 9_999_999, -4]) == "")
        #expect(table.text([0].compactMap { table.id([UInt8($0)]) }) == " ")
    }

    @Test("The tokens of a text are merged in the order in which they were learned") func encoding() throws {
        let table = try Fixture.table()
        let encoder = TokenEncoder(table)
        let tokens = encoder.tokens(of: " the terns said, saying")
        #expect(table.text(tokens) == " the terns said, saying")
        let pieces = tokens.map { table.text([$0]) }
        #expect(
            pieces.prefix(3) == [" the", " tern", "s"] && pieces.contains(" said")
                && pieces.suffix(3) == [" sa", "y", "ing"])
        #expect(encoder.tokens(of: "").isEmpty)
    }

    @Test("Tokens are merged within words") func words() {
        let words = TokenEncoder.words(of: "I'm 42 years old...  Don't\n you? ñandú")
        #expect(words == ["I", "'m", " 42", " years", " old", "...", " ", " Don", "'t", "\n", " you", "?", " ñandú"])
    }

    @Test(
        "An invalid file is rejected",
        arguments: [
            "", "{", "[]", "{}", #"{"model": {}}"#, #"{"model": {"vocab": []}}"#,
            #"{"model": {"vocab": {"a": 1e9}}}"#, #"{"model": {"vocab": {"a": -1}}}"#,
            #"{"model": {"vocab": {"a": 1.5}}}"#,
            #"{"model": {"vocab": {"a": "b"}}}"#, #"{"model": {"vocab": {"a": 1}}, "added_tokens": [{"id": 3}]}"#,
            #"{"model": {"vocab": {"<|endoftext|>": 5, "<|startoftranscript|>": 1, "<|transcribe|>": 6, "<|notimestamps|>": 7}}}"#,
            #"{"model": {"vocab": {"<|endoftext|>": 1, "<|startoftranscript|>": 2, "<|transcribe|>": 6, "<|notimestamps|>": 7, "<|0.00|>": 3}}}"#,
        ])
    func broken(_ json: String) {
        #expect { try TokenTable(json: Array(json.utf8)) } throws: { ($0 as? EngineError)?.role == "tokenizer" }
    }

    @Test("There may be gaps in the IDs") func holes() throws {
        let table = try TokenTable(names: [
            "a": 7, "<|endoftext|>": 50, "<|startoftranscript|>": 60, "<|transcribe|>": 70, "<|notimestamps|>": 90,
            "☃": 8,
        ])
        #expect(table.text(Array(0...200)) == "a" && table.zero == 91 && table.languages.isEmpty)
        #expect(table.space == nil && table.quiet == nil)
    }

    @Test("A file that is truncated at any position causes an error") func cut() throws {
        let json = try Fixture.content("tokenizer.json")
        for length in stride(from: 0, to: json.count - 1, by: 97) {
            #expect(throws: EngineError.self) { try TokenTable(json: Array(json.prefix(length))) }
        }
    }
}

@Suite("Decoding configuration") struct GenerationConfigurationTests {
    @Test("Settings missing from the configuration have defaults") func defaults() throws {
        let table = try Fixture.table()
        let configuration = try Fixture.configuration(table)
        #expect(configuration.suppressed.isEmpty && configuration.alignmentHeads.isEmpty)
        #expect(Set(configuration.suppressedFirst) == [table.end, table.space ?? -1])
        #expect(configuration.isMultilingual && configuration.latestFirstTime == 50)
        #expect(try !GenerationConfiguration(json: nil, table, vocabulary: 51_864).isMultilingual)
        #expect(try !Fixture.configuration(table, #"{"is_multilingual": false}"#).isMultilingual)
    }

    @Test("Tokens and times that the model lacks are ignored") func lenient() throws {
        let table = try Fixture.table()
        let configuration = try Fixture.configuration(
            table, #"{"suppress_tokens": [-1, 3, 99999999], "max_initial_timestamp_index": 9999, "other": {"x": []}}"#)
        #expect(configuration.suppressed == [3, 99_999_999] && configuration.latestFirstTime == 1500)
        let rules = TokenRules(table: table, configuration: configuration, isTimed: false)
        let scores = [Float](repeating: 0, count: 1781)
        #expect(try rules.choices(1, scores: scores[...], after: [1]).first?.token == 0)
    }

    @Test(
        "An invalid configuration is rejected",
        arguments: [
            "", "{", #"{"suppress_tokens": [-7]}"#, #"{"suppress_tokens": "a"}"#, #"{"alignment_heads": [[1]]}"#,
            #"{"alignment_heads": [[1, -2]]}"#, #"{"is_multilingual": 1}"#,
        ])
    func broken(_ json: String) throws {
        let table = try Fixture.table()
        #expect { try Fixture.configuration(table, json) } throws: {
            ($0 as? EngineError)?.role == "config"
        }
    }

    @Test("Language codes are converted between Whisper's notation and standard tags") func languages() {
        #expect(WhisperLanguage.code(of: "pt-BR") == "pt" && WhisperLanguage.code(of: "jv") == "jw")
        #expect(WhisperLanguage.code(of: "nb_NO") == "no" && WhisperLanguage.code(of: "yue") == "yue")
        #expect(WhisperLanguage.tag(of: "jw") == "jv" && WhisperLanguage.tag(of: "de") == "de")
    }
}
