import Foundation
import SynthScript
import Testing
import TestSupport

/// The language folders define how abbreviations are spoken, and the splitter's tables define which ones do not end a
/// sentence. Each must contain the abbreviations of the other.
@Suite("Abbreviations in the language folders")
struct LanguageFolderTests {
    private static let folder = URL(filePath: LanguageFolders.path)

    /// Returns the abbreviations in the given lists of `words.txt` that are a single word with a period at the end.
    private func abbreviations(_ language: String, _ lists: Set<String>) throws -> [String] {
        let text = try String(contentsOf: Self.folder.appending(path: "\(language)/words.txt"), encoding: .utf8)
        var isIn = false
        var found: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[list ") {
                isIn = lists.contains(line.dropFirst(6).prefix { $0 != "]" && $0 != " " }.description)
                continue
            }
            guard isIn, let entry = line.components(separatedBy: " = ").first, entry.hasSuffix("."),
                !entry.contains(" ")
            else { continue }
            found.append(entry)
        }
        let ordinary = try words()
        return found.filter { !ordinary.contains(String($0.dropLast())) }
    }

    /// Abbreviations that are words in another language ("red.", "ir.", "mec."). The splitter does not know the language of the text.
    private func words() throws -> [String] {
        let text = try String(contentsOf: Self.folder.appending(path: "any/stops.txt"), encoding: .utf8)
        let list = try #require(text.components(separatedBy: "[ordinary]\n").dropFirst().first)
        return list.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private func sentences(_ text: String) throws -> Int {
        var script = PlainTextScript()
        try script.append(text)
        try script.finish()
        var count = 0
        while script.next() != nil { count += 1 }
        return count
    }

    @Test(
        "Neither a title before a name nor an abbreviation before a number ends a sentence",
        arguments: LanguageFolders.complete)
    func continuesText(_ language: String) throws {
        let titles = try abbreviations(language, ["title", "title-before-name"])
        let numbered = try abbreviations(language, ["abbreviation", "numbered"])
        #expect(titles.count > 3)
        #expect(numbered.count > 3)
        for title in titles { #expect(try sentences("We met \(title) Smith there.") == 1, "\(title)") }
        for word in numbered { #expect(try sentences("We saw \(word) 5 there.") == 1, "\(word)") }
    }
}
