import SynthDocuments
import SynthScript
import Testing

@testable import SynthBooks
@testable import SynthSpeech

@Suite("A document's script")
struct DocumentScriptTests {
    private static func block(
        _ kind: Document.Block.Kind, _ text: String, language: String? = nil,
        passages: [Document.Block.Passage] = []
    ) -> Document.Block {
        var block = Document.Block(kind, text, language: language, at: Document.Position(line: 1))
        block.passages = passages
        return block
    }

    /// The parts in order: texts with their languages, kinds of pauses, and durations of silences.
    private static func parts(
        _ chapters: [[Document.Block]], _ languages: DocumentLanguages = DocumentLanguages("en"),
        continuesChapter: Bool = false
    ) throws -> [String] {
        let script = DocumentScript(chapters.map { $0[...] }, languages, continuesChapter: continuesChapter)
        return try script.script.parts().map { part in
            switch part {
            case .text(let text): (text.style.language.map { "[\($0)] " } ?? "") + text.text
            case .silence(let duration, _): "\(duration)"
            case .end(let kind): "\(kind)"
            case .mark, .clip: "?"
            }
        }
    }

    @Test("The pause after a block depends on the kind of block")
    func pauses() throws {
        let blocks = [
            Self.block(.heading(level: 1), "One"), Self.block(.paragraph, "A *b*."),
            Self.block(.item(depth: 1, number: nil), "x"),
            Self.block(.item(depth: 1, number: 7), "y"), Self.block(.row, "r, s"), Self.block(.code, "x = 1"),
            Self.block(.code, "y = 2"), Self.block(.figure, "A cat"),
        ]
        #expect(
            try Self.parts([blocks]) == [
                "One", "heading", "A *b*.", "paragraph", "x", "sentence", "7. y", "paragraph", "r, s", "paragraph",
                "Code is left out.", "paragraph", "A cat", "paragraph",
            ])
    }

    @Test("The silence between scenes and chapters is longer than between lines of verse")
    func silences() throws {
        let verse = Self.block(.paragraph, "Roses are red,\nViolets are blue.")
        let scene = Self.block(.scene, "")
        #expect(
            try Self.parts([[scene, verse, scene, verse], [verse, scene]]) == [
                "Roses are red,", "sentence", "Violets are blue.", "paragraph", "1.5 seconds", "Roses are red,",
                "sentence",
                "Violets are blue.", "paragraph", "1.5 seconds", "Roses are red,", "sentence", "Violets are blue.",
                "paragraph",
            ])
        // A part that continues a chapter may begin with a pause.
        #expect(
            try Self.parts([[scene, Self.block(.paragraph, "A.")]], continuesChapter: true) == [
                "1.5 seconds", "A.", "paragraph",
            ])
    }

    @Test("The script uses the languages of blocks and passages unless the user has selected a language")
    func languages() throws {
        let text = "He said: Je ne sais pas. Then left."
        let passage = Document.Block.Passage(9..<24, language: "fr")
        let blocks = [
            Self.block(.paragraph, text, passages: [passage]), Self.block(.paragraph, "Gut.", language: "de"),
            Self.block(.paragraph, "Fine.", language: "en-GB"), Self.block(.paragraph, "Odd.", language: "und"),
        ]
        #expect(
            try Self.parts([blocks], DocumentLanguages("en-US")) == [
                "He said: ", "[fr] Je ne sais pas.", " Then left.", "paragraph", "[de] Gut.", "paragraph", "Fine.",
                "paragraph",
                "Odd.", "paragraph",
            ])
        #expect(
            try Self.parts([blocks], DocumentLanguages("en-US", isFixed: true)) == [
                text, "paragraph", "Gut.", "paragraph", "Fine.", "paragraph", "Odd.", "paragraph",
            ])
        let japanese = [Self.block(.heading(level: 1), "第一章"), Self.block(.paragraph, "東京駅。")]
        #expect(try Self.parts([japanese], DocumentLanguages("ja")) == ["第一章", "heading", "東京駅。", "paragraph"])
        // The parts are marked with the selected language, because kanji alone could also be Chinese.
        #expect(
            try Self.parts([japanese], DocumentLanguages("ja", isFixed: true)) == [
                "[ja] 第一章", "heading", "[ja] 東京駅。", "paragraph",
            ])
    }

    @Test("Parts record their positions in the script's text and in the document")
    func places() throws {
        let blocks = [
            Self.block(.paragraph, "Ünd *so*"), Self.block(.item(depth: 1, number: 3), "x y"),
            Self.block(.code, "long code"),
        ]
        let script = DocumentScript([blocks[...]], DocumentLanguages("en"))
        #expect(String(decoding: script.text, as: UTF8.self) == "Ünd *so*\n\nx y\n\nCode is left out.")
        for case .text(let part) in try script.script.parts() where !part.text.hasPrefix("3.") {
            let place = part.source.sourceRange(of: 0..<part.text.utf8.count)
            #expect(String(decoding: script.text[place], as: UTF8.self) == part.text)
        }
        #expect(script.block(with: 0..<3) == 0 && script.block(with: 11..<12) == 1 && script.block(with: 9..<10) == nil)
        #expect(script.text(of: 11..<12, in: blocks[1], at: 1) == 0..<1)
        #expect(script.text(of: 20..<24, in: blocks[2], at: 2) == 0..<9)
    }
}
