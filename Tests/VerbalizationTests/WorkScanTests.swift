import Testing

@testable import Verbalization

@Suite("A text without anything to do")
struct WorkScanTests {
    @Test(
        "is told without tables",
        arguments: [
            "Hello", "Hello, world.", "This is a plain sentence, without anything to do for anybody.",
            "Don't worry; she said \"yes\" - and left!", "Ich gehe im schönen Garten spazieren.", "Où est-il allé ?",
            "Это обычное предложение.", "你好，世界。", "", " ", "Well-known facts.", "Note: this is fine indeed.",
        ])
    func plain(_ text: String) {
        #expect(!WorkScan.hasWork(Array(text.utf8)))
    }

    @Test(
        "is told from one with",
        arguments: [
            "5 dogs", "Dr. Smith", "vs the world", "the FBI", "a & b", "50%", "e.g. this", "Mr Smith", "½ cup",
            "great 🎉",
            "Mon-Fri", "World War I was long.", "We had apples etc.", "CO₂ rises", "#tag", "@me", "a/b", "x²",
        ])
    func work(_ text: String) {
        #expect(WorkScan.hasWork(Array(text.utf8)))
    }

    @Test(
        "no example that says something is taken for plain",
        arguments: ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru"])
    func examples(_ language: String) {
        for row in Table.rows("\(language).tsv") where row.text != row.said {
            #expect(WorkScan.hasWork(Array(row.text.utf8)), "\(row.text)")
        }
    }
}
