import Foundation
import Testing
import TestSupport

@testable import SynthVerbalization

@Suite("Text with nothing to verbalize")
struct WorkScanTests {
    private static let scan = WorkScan(words: PlainWords("en", tables: Table.languages))

    @Test(
        "Plain text is recognized without loading tables",
        arguments: [
            "Hello", "Hello, world.", "This is a plain sentence, without anything to do for anybody.",
            "Don't worry; she said \"yes\" - and left!", "Ich gehe im schönen Garten spazieren.", "Où est-il allé ?",
            "Это обычное предложение.", "你好，世界。", "", " ", "Well-known facts.", "Note: this is fine indeed.",
            "i went to mix six vivid wives",
        ])
    func plain(_ text: String) {
        #expect(!Self.scan.hasWork(Array(text.utf8)))
    }

    @Test(
        "Text that contains something to verbalize is recognized",
        arguments: [
            "5 dogs", "Dr. Smith", "vs the world", "the FBI", "a & b", "50%", "e.g. this", "Mr Smith", "½ cup",
            "great 🎉",
            "Mon-Fri", "World War I was long.", "We had apples etc.", "CO₂ rises", "#tag", "@me", "a/b", "x²",
            "page xii", "in part v of it", "we chose plan A because of it",
        ])
    func work(_ text: String) {
        #expect(Self.scan.hasWork(Array(text.utf8)))
    }

    @Test("Text that contains a word from one of a language's rules is recognized", arguments: ["Polish", "полиш"])
    func ruled(_ word: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tables-\(UUID().uuidString)")
        let language = folder.appending(path: "qq")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "[settings]\nlocale = en\n[forms]\ncardinal = %spellout-cardinal\n".write(
            to: language.appending(path: "language.txt"), atomically: true, encoding: .utf8)
        let rule = "heteronym: \(word.lowercased()) => pollish << the_"
        try "[rules]\n\(rule)\n".write(
            to: language.appending(path: "rules.txt"), atomically: true, encoding: .utf8)
        let verbalizer = Verbalizer(language: "qq", tables: folder.path)
        let text = "We saw the \(word) there."
        #expect(verbalizer.replacements(in: text).applied(to: text) == "We saw the pollish there.")
        let scan = WorkScan(words: PlainWords("qq", tables: folder.path))
        #expect(scan.hasWork(Array(text.utf8)))
        #expect(!scan.hasWork(Array("We saw the ending there.".utf8)))
    }

    @Test(
        "No example that has a verbalization is mistaken for plain text",
        arguments: LanguageFolders.complete)
    func examples(_ language: String) {
        let scan = WorkScan(words: PlainWords(language, tables: Table.languages))
        for row in Table.rows("\(language).tsv") where row.text != row.said {
            #expect(scan.hasWork(Array(row.text.utf8)), "\(row.text)")
        }
    }
}
