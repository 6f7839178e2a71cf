import Foundation
import SynthDocuments
import SynthSystem
import Testing

@testable import SynthBooks

@Suite("The page of an EPUB chapter")
struct SpokenPageTests {
    private static func block(
        _ kind: Document.Block.Kind, _ text: String, emphasis: [Range<Int>] = [], isQuoted: Bool = false,
        language: String? = nil
    ) -> Document.Block {
        Document.Block(
            kind, text, emphasis: emphasis, isQuoted: isQuoted, language: language, at: Document.Position(line: 1))
    }

    /// The body and the overlay of a page with these spoken sentences, each of which is located by its text.
    private static func page(
        _ blocks: [Document.Block], _ sentences: [(start: Double, text: String)]
    ) throws -> (body: String, overlay: String) {
        let chapter = BookChapter(Document.Chapter(blocks: blocks), number: 3)
        let part = try #require(chapter.parts.first)
        var place = part.text.startIndex
        let times = try sentences.map { sentence in
            let found = try #require(part.text[place...].range(of: sentence.text), "\(part.text)")
            place = found.upperBound
            let bytes = [found.lowerBound, found.upperBound].map {
                part.text.utf8.distance(from: part.text.startIndex, to: $0)
            }
            return "{\"start\": \(sentence.start), \"end\": 0, \"text\": \"\", \"bytes\": \(bytes)}"
        }
        var page = SpokenPage(chapter)
        let json = "{\"sentences\": [\(times.joined(separator: ","))], \"seconds\": 9, \"complete\": true}"
        let isTaken = page.add(part, times: Array(json.utf8), at: 10)
        #expect(isTaken)
        let text = page.text(language: "en", style: "style.css")
        let body = text.split(separator: "bodymatter\">\n").last?.split(separator: "</body>").first
        return (String(body ?? ""), page.overlay(text: "t", sound: "s", seconds: 20))
    }

    @Test("Sentences are marked even if they contain special characters or if emphasis starts or ends within them")
    func marks() throws {
        let text = "Say *this* & [that]. 2. Ünd <so>!"
        let (body, overlay) = try Self.page(
            [Self.block(.paragraph, text, emphasis: [4..<10, 18..<24])],
            [(0, "Say *this* & [that]."), (1.5, "2."), (2, "Ünd <so>!")])
        #expect(
            body == """
                <p><span id="s1">Say <em>*this*</em> &amp; [that<em>].</em></span><em> </em>\
                <span id="s2"><em>2.</em></span><em> </em>\
                <span id="s3">Ünd &lt;so&gt;!</span></p>

                """)
        #expect(overlay.contains(#"#s1"/><audio src="s" clipBegin="0.000s" clipEnd="11.500s"/>"#))
        #expect(overlay.contains(#"#s3"/><audio src="s" clipBegin="12.000s" clipEnd="20.000s"/>"#))
    }

    @Test("Lists, quotations, table rows and code keep their positions")
    func structure() throws {
        let (body, _) = try Self.page(
            [
                Self.block(.heading(level: 9), "T"), Self.block(.code, "a<b"),
                Self.block(.item(depth: 1, number: nil), "x"), Self.block(.item(depth: 2, number: nil), "y"),
                Self.block(.item(depth: 1, number: 7), "z"), Self.block(.paragraph, "q", isQuoted: true),
                Self.block(.item(depth: 1, number: nil), "r", isQuoted: true),
                Self.block(.row, "a, b", language: "he"), Self.block(.figure, "A cat"),
            ], [(0, "T"), (1, "y")])
        #expect(
            body == """
                <h6><span id="s1">T</span></h6>
                <pre>a&lt;b</pre>
                <ul>
                <li class="depth1">x</li>
                <li class="depth2"><span id="s2">y</span></li>
                </ul>
                <ol>
                <li class="depth1" value="7">z</li>
                </ol>
                <blockquote>
                <p>q</p>
                <ul>
                <li class="depth1">r</li>
                </ul>
                </blockquote>
                <p class="aside" xml:lang="he" lang="he" dir="rtl">a, b</p>
                <p class="aside">A cat</p>

                """)
    }

    @Test("Invalid times are ignored, and a part without times is highlighted as a whole")
    func damage() throws {
        let chapter = BookChapter(Document.Chapter(blocks: [Self.block(.paragraph, "One. Two.")]), number: 1)
        let part = try #require(chapter.parts.first)
        var page = SpokenPage(chapter)
        for wrong in ["", "[]", "{\"sentences\": 1}"] {
            let isTaken = page.add(part, times: Array(wrong.utf8), at: 0)
            #expect(!isTaken)
        }
        let places = ["[9,2]", "[-5,-1]", "[1]", "[0,99999]", "[0,4]", "[9223372036854775806,9223372036854775807]"]
        let sentences = places.map { "{\"start\": 1, \"bytes\": \($0)}" }.joined(separator: ",")
        let isTaken = page.add(part, times: Array("{\"sentences\": [\(sentences)]}".utf8), at: 0)
        #expect(isTaken)
        // Ranges are clipped to the text, and a range that has already been marked is skipped.
        let text = page.text(language: "en", style: "")
        #expect(text.contains("<p><span id=\"s1\">One. Two.</span></p>"), "\(text)")
        let empty = SpokenPage(chapter).overlay(text: "t", sound: "s", seconds: 2)
        #expect(empty.contains(##"<text src="t#text"/><audio src="s" clipBegin="0.000s" clipEnd="2.000s"/>"##))
    }

    @Test("Characters that XML forbids become spaces, and times have millisecond precision")
    func words() {
        #expect(XMLText.escaped("a\u{0}b\u{FFFE}c\"<\n") == "a b c&quot;&lt;\n")
        #expect(
            XMLText.clock(milliseconds: XMLText.milliseconds(61.0396)) == "61.040s" && XMLText.milliseconds(-1) == 0)
    }

    @Test(
        "A language tag is written in the format that XML requires",
        arguments: [
            ("en_US", "en-US"), ("de", "de"), ("zh-Hant-TW", "zh-Hant-TW"), ("", nil), ("english", nil), ("e n", nil),
            ("en-", nil), ("x\"y", nil),
        ])
    func languages(language: String, tag: String?) { #expect(LanguageTag.normalized(language) == tag) }

    @Test("Checksums are CRC-32, as in ZIP")
    func sum() {
        var sum = CRC32()
        sum.add(Array("1234".utf8))
        sum.add(Array("56789".utf8))
        #expect(sum.value == 0xCBF4_3926)
    }
}
