import SynthAudio
import SynthDocuments
import Testing

@testable import SynthBooks

@Suite("Book parts")
struct BookPartTests {
    static func paragraph(_ words: Int, _ word: String = "word") -> Document.Block {
        Document.Block(
            .paragraph, Array(repeating: word, count: words).joined(separator: " "), at: Document.Position(line: 1))
    }

    private static func heading(_ text: String) -> Document.Block {
        Document.Block(.heading(level: 1), text, at: Document.Position(line: 1))
    }

    @Test("Parts end at paragraph boundaries but never after a heading")
    func cut() {
        let chapter = Document.Chapter(
            title: "One",
            blocks: [
                Self.heading("One"), Self.paragraph(100), Self.paragraph(200), Self.heading("Two"), Self.paragraph(5),
            ])
        let parts = BookPart.parts(of: chapter, number: 4)
        #expect(parts.map(\.words) == [301, 6])
        #expect(parts.map(\.chapter) == [4, 4] && parts.map(\.number) == [1, 2])
        #expect(parts[0].text.hasPrefix("One\n\nword word"))
        #expect(parts[1].text == "Two\n\nword word word word word")
    }

    @Test("Code is announced in the book's language, and a chapter that contains only code has no parts")
    func code() {
        let code = Document.Block(.code, "let x", at: Document.Position(line: 1))
        #expect(BookPart.parts(of: Document.Chapter(blocks: [code]), number: 1).isEmpty)
        #expect(
            BookPart.parts(
                of: Document.Chapter(blocks: [code, code, Self.paragraph(1)]), number: 1,
                languages: DocumentLanguages("de-AT")
            )
            .map(\.text) == ["Programmtext ausgelassen.\n\nword"])
        let after = [Self.paragraph(300), code, Self.paragraph(1)]
        #expect(
            BookPart.parts(of: Document.Chapter(blocks: after), number: 1).map(\.text.utf8.count) == [
                300 * 5 - 1 + "\n\nCode is left out.".utf8.count, 4,
            ])
    }

    @Test("Each part belongs to exactly one shard, and all shards are of similar size", arguments: [1, 2, 3, 7, 40])
    func shards(count: Int) throws {
        let parts = (1...60).flatMap { chapter in
            BookPart.parts(of: Document.Chapter(blocks: [Self.paragraph(10 + chapter * 7 % 90)]), number: chapter)
        }
        let shares = try (1...count).map { try #require(BookShard(number: $0, count: count)).own(of: parts) }
        let numbers = shares.joined().map(\.chapter)
        #expect(numbers.sorted() == Array(1...60))
        let words = shares.map { $0.reduce(0) { $0 + $1.words } }
        let (least, most) = (words.min() ?? 0, words.max() ?? 0)
        #expect(most - least <= 100, "\(words)")
    }

    @Test("A shard is specified by its number and the number of shards, such as 2/8")
    func shardWords() {
        #expect(BookShard("2/8") == BookShard(number: 2, count: 8))
        for wrong in ["0/8", "9/8", "2", "2/", "/8", "-1/8", "a/b", "1/1000000", "", "1/2/3"] {
            #expect(BookShard(wrong) == nil, "\(wrong)")
        }
    }

    @Test(
        "A chapter's file name is valid on all file systems",
        arguments: [
            ("The Door", "03 The Door.opus"), ("Who? \"Me\"/You: a|b", "03 Who Me You a b.opus"), ("...", "03.opus"),
            ("a\u{0}b\nc\u{202E}d", "03 a b cd.opus"),
            ("می\u{200C}خواهم ❤\u{FE0F}", "03 می\u{200C}خواهم ❤\u{FE0F}.opus"), ("Ends. ", "03 Ends.opus"),
            ("../../etc", "03 .. .. etc.opus"),
            ("Ünïcode 日本", "03 Ünïcode 日本.opus"),
        ])
    func names(title: String, name: String) {
        #expect(BookNames.file(of: 3, count: 12, title: title, .opus) == name)
    }

    @Test("A chapter's file name has a limited length and enough digits to number all chapters")
    func longNames() {
        let name = BookNames.file(of: 7, count: 1234, title: String(repeating: "é", count: 400), .mp3)
        #expect(name.hasPrefix("0007 é") && name.utf8.count < 200)
        #expect(BookNames.file(of: 7, count: 9, title: nil, .wav) == "07.wav")
    }
}
