import Foundation
import Testing
import TestNumbers

@testable import SynthJSON

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONNode {
        try JSONReader.read(Array(text.utf8))
    }

    @Test("The reader records the line number of each key")
    func lines() throws {
        let root = try read("{\n  \"a\": 1,\r\n\n  \"b\": {\n\"c\": [true,\nnull]}\n}")
        #expect(root.line == 1)
        #expect(root.members.map(\.name) == ["a", "b"])
        #expect(root.members.map(\.line) == [2, 4])
        #expect(root.members.last?.node.members.map(\.line) == [5])
    }

    @Test(
        "The line reported for a path is the line of its value or, failing that, of its longest existing prefix",
        arguments: [
            ([], 1), ([.key("a")], 2), ([.key("a"), .index(1)], 4), ([.key("a"), .index(1), .key("b")], 5),
            ([.key("a"), .index(2)], 2), ([.key("none"), .index(0)], 1), ([.index(0)], 1),
        ] as [([JSONNode.Step], Int)])
    func paths(path: [JSONNode.Step], line: Int) throws {
        #expect(try read("{\n\"a\": [\n1,\n{\n\"b\": 2}]}").line(of: path) == line)
    }

    @Test(
        "Escapes in strings are decoded",
        arguments: [
            (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"), (#""\u00e9\ud83d\ude00""#, "é😀"), ("\"日本\"", "日本"),
        ])
    func strings(text: String, expected: String) throws {
        #expect(try read(text).value == .string(expected))
    }

    @Test(
        "Numbers follow the rules of JSON",
        arguments: [("0", 0), ("-0.5", -0.5), ("1e3", 1000), ("120", 120), ("1.25E-2", 0.0125)] as [(String, Double)])
    func numbers(text: String, expected: Double) throws {
        #expect(try read(text).value == .number(expected))
    }

    @Test(
        "Errors include line and column numbers",
        arguments: [
            ("{\n  \"rate\": 1,\n}", 2, 12), ("{\n  rate: 1\n}", 2, 3), ("{\"é\" 1}", 1, 6), ("{\"a\": 01}", 1, 7),
            ("{\"a\": 1", 1, 8), ("", 1, 1), ("{} x", 1, 4), ("[1\n2]", 2, 1), ("\"ab", 1, 1), ("\"a\nb\"", 1, 3),
            (#""\ud800""#, 1, 2), (#""\x""#, 1, 2), (#""\u12""#, 1, 2), ("nul", 1, 1), ("1e999", 1, 1), ("-", 1, 1),
            ("{\"a\": 1,\n \"a\": 2}", 2, 2), ("{\"a\":}", 1, 6),
        ])
    func errors(text: String, line: Int, column: Int) {
        #expect {
            try read(text)
        } throws: { error in
            guard let error = error as? JSONSyntaxError else { return false }
            return error.line == line && error.column == column
        }
    }

    @Test("The error for a repeated key includes the line number of its first occurrence")
    func duplicates() {
        #expect(throws: Never.self) {
            try JSONReader.read(Array(#"{"a": 1, "a": 2}"#.utf8), allowsRepeatedKeys: true)
        }
        #expect(throws: JSONSyntaxError(line: 2, column: 2, reason: "the key \"a\" already occurs on line 1")) {
            try read("{\"a\": 1,\n \"a\": 2}")
        }
    }

    @Test("Nesting is limited so that no text causes a stack overflow")
    func depth() throws {
        let deepest = JSONReader.deepest
        #expect(throws: Never.self) {
            try read(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
        }
        #expect(throws: JSONSyntaxError.self) { try read(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONSyntaxError.self) { try read(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("Invalid UTF-8 causes an error")
    func encoding() {
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read([0x22, 0xC0, 0x80, 0x22]) }
    }

    @Test("Damaged text never crashes the reader, and accepted text survives a round trip")
    func mutations() throws {
        let seed = Array(
            """
            {"engine": "espeak-ng", "voices": {"espeak-ng": "é😀", "x": "\\u00e9\\n"}, "rate": 1.25e0,
             "autoDownload": false, "list": [1, -2, null, true, {}], "limits": {"loadSeconds": 120}}
            """.utf8)
        var random = SeededRandom(20_260)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            guard let node = try? JSONReader.read(bytes) else { continue }
            accepted += 1
            #expect(throws: Never.self, "\(String(decoding: bytes, as: UTF8.self))") {
                try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            }
            let text = JSONWriter.text(of: node)
            let again = try JSONReader.read(Array(text.utf8))
            #expect(JSONWriter.text(of: again) == text)
        }
        #expect(accepted > 100)
    }
}
