import Foundation
import Testing

@testable import SynthEnglish

/// The tables for these tests.
enum EnglishTable {
    static func lines(_ file: String) throws -> [String] {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let text = try String(contentsOfFile: "/\(folder)/Tables/\(file)", encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }
}

@Suite("Heteronyms") struct SensesTests {
    /// A word, a pattern that matches the correct symbols, and a sentence that contains the word between asterisks.
    struct Row {
        var word: String
        var pattern: String
        var sentence: String
    }

    static func rows(_ file: String) throws -> [Row] {
        try EnglishTable.lines(file).map { line in
            let parts = line.split(separator: "\t").map(String.init)
            return Row(word: parts[0], pattern: parts[1], sentence: parts[2])
        }
    }

    @Test(
        "The pronunciation depends on the meaning of the word in the sentence",
        arguments: ["read-two-ways.tsv", "read-two-ways-second.tsv", "read-two-ways-third.tsv"], EnglishAccent.allCases)
    func senses(file: String, accent: EnglishAccent) throws {
        let rows = try Self.rows(file)
        #expect(rows.count >= 60)
        var wrong: [String] = []
        for row in rows {
            let reading = try Readers.of(accent).read(row.sentence.replacing("*", with: ""))
            let place = try #require(row.sentence.utf8.firstIndex(of: UInt8(ascii: "*")))
            let offset = row.sentence.utf8.distance(from: row.sentence.startIndex, to: place)
            let word = try #require(reading.words.first { $0.bytes.contains(offset) })
            let said = String(String.UnicodeScalarView(reading.symbols[word.symbols]))
            if try said.firstMatch(of: Regex(row.pattern)) == nil { wrong.append("\(row.sentence): \(said)") }
        }
        #expect(wrong.count * 50 <= rows.count, "\(wrong)")
    }
}
