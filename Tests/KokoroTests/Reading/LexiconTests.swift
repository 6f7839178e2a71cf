import EngineKit
import Foundation
import Testing
import TestNumbers
import TestSupport

@testable import SynthKokoro

@Suite("Kokoro's word lists")
struct LexiconTests {
    private func read(_ json: String) throws -> [String: [String?]] {
        var found: [String: [String?]] = [:]
        var reader = LexiconJSON(Array(json.utf8))
        try reader.read { word, phonemes, last, _ in found[word] = [phonemes, last] }
        return found
    }

    @Test("A word has either phonemes or phonemes by part of speech")
    func entries() throws {
        let found = try read(
            #" { "a" : "A", "read": {"DEFAULT": "ɹˈid", "None": "ɹˈɛd", "VBD": null}, "x\u00e9\"\\": "",\n "e": {} } "#
                .replacing("\\n", with: "\n"))
        #expect(found == ["a": ["A", nil], "read": ["ɹˈid", "ɹˈɛd"], "xé\"\\": ["", nil], "e": [nil, nil]])
        #expect(try read("{}").isEmpty)
        #expect(try read(#"{"\ud83d\ude00": "smile"}"#) == ["😀": ["smile", nil]])
    }

    @Test(
        "Invalid JSON is rejected",
        arguments: [
            "", "{", "{\"a\"", "{\"a\":1}", "{\"a\":[\"b\"]}", "{\"a\":\"b\",}", "{\"a\":\"b\"} x", "[]",
            "{\"a\":{\"b\":{}}}",
            "{\"a\":\"b", "{\"\\u12\":\"b\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\u{1}\"}",
            "{\"a\":nul}",
        ])
    func malformed(json: String) {
        #expect(throws: EngineError.self) { try read(json) }
    }

    @Test("A truncated or damaged list is either read or rejected but never crashes the process")
    func damage() throws {
        var random = SeededRandom(11)
        let whole = Array(#"{"a": "A", "read": {"DEFAULT": "ɹˈid", "None": null}, "x\u00e9": "ˈ"}"#.utf8)
        for _ in 0..<2000 {
            var bytes = Array(whole.prefix(Int.random(in: 0...whole.count, using: &random)))
            if !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            var count = 0
            var reader = LexiconJSON(bytes)
            try? reader.read { _, _, _, _ in count += 1 }
            #expect(count <= 3)
        }
    }

    @Test("Each variety of English uses its own list, and a list that does not specify a variety applies to both")
    func choice() throws {
        let folder = try TemporaryFolder()
        func file(_ json: String, _ name: String) throws -> String { try folder.write(Data(json.utf8), to: name) }
        let american = try file(#"{"boat": "bˈOt"}"#, "us.json")
        let british = try file(#"{"boat": "bˈQt"}"#, "gb.json")
        let own = try file("boat bˈOːt\n", "own.txt")
        let both = Lexicons(paths: [american, british])
        #expect(both.lexicon(for: .american)?.variety == .american)
        #expect(both.lexicon(for: .british)?.variety == .british)
        #expect(both.lexicon(for: .french) == nil)
        #expect(Lexicons(paths: [american]).lexicon(for: .british) == nil)
        #expect(Lexicons(paths: [own, folder.path + "/none"]).lexicon(for: .british) != nil)
    }
}
