import SynthScript
import Testing
import TestNumbers

@testable import SynthSpeechDispatcher

@Suite("Text that is not valid SSML")
struct MarkupRemainsTests {
    /// Returns the words, with marks in brackets.
    private func remains(_ text: String) -> String {
        MarkupRemains.parts(of: Array(text.utf8)).map { part in
            switch part {
            case .text(let text): text.text
            case .mark(let name, _): "[\(name)]"
            default: "?"
            }
        }.joined()
    }

    @Test(
        "The text is spoken without its tags, and marks keep their positions",
        arguments: [
            ("Hello", "Hello"), ("", ""), ("<speak>Hi <b>you</speak>", " Hi you "),
            ("a<mark name=\"__spd_0\"/>b<mark  name = '__spd_1' />c", "a[__spd_0]b[__spd_1]c"),
            ("a<mark name=\"x\">b</mark>", "a[x]b"), ("a<mark/>b<mark name=x/>c<mark name=\"\"/>d", "abcd"),
            ("a<marker name=\"x\"/>b", "ab"), ("<p>One</p><p>Two</p>", " One  Two "),
            ("x &lt;y&gt; &amp;amp; &quot;&apos;&#65;&#x42;&#X43;", "x <y> &amp; \"'ABC"),
            ("R&D & co; &nothing; &#xD800; &#99999999999;", "R&D & co; &nothing; &#xD800; &#99999999999;"),
            ("1 < 2 <", "1 < 2 <"), ("<3 you <a", "<3 you <a"), ("a <b c <mark name=\"m\"/>d", "a <b c [m]d"),
            ("<!-- no --><?xml no?>yes<![CDATA[", "yes<![CDATA["), ("<<<speak>>>", "<< >>"),
        ])
    func table(text: String, heard: String) {
        #expect(remains(text) == heard)
    }

    @Test("The spoken text keeps its positions")
    func places() throws {
        let parts = MarkupRemains.parts(of: Array("<b>Ä &amp; B".utf8))
        guard case .text(let text)? = parts.first else {
            Issue.record("The first part should be text.")
            return
        }
        #expect(text.text == "Ä & B")
        #expect(text.source.sourceRange(of: 0..<2) == 3..<5)
        #expect(text.source.sourceRange(of: 3..<4) == 6..<11)
        #expect(text.source.sourceRange(of: 5..<6) == 12..<13)
    }

    @Test(
        "The time taken is linear in the length of the text",
        arguments: ["<a", "&a", "<mark name=", "<", "&#1", "<mark name='"])
    func linear(_ piece: String) {
        let clock = ContinuousClock()
        let text = Array(String(repeating: piece, count: (1 << 20) / piece.utf8.count).utf8)
        let taken = clock.measure { #expect(!MarkupRemains.parts(of: text).isEmpty) }
        // The limit is about a hundred times the usual duration. In quadratic time, the test would take hours.
        #expect(taken < .seconds(30))
    }

    @Test("Random bytes yield valid text", arguments: 0..<100)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed)
        let pieces = ["<mark name=\"m\"/>", "<", ">", "&", ";", "&lt;", "\"", "/", "ä", " ", "speak", "&#x;"]
        let text = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let parts = MarkupRemains.parts(of: Array(text.utf8))
        let marks = parts.count { if case .mark = $0 { true } else { false } }
        #expect(marks <= text.ranges(of: "<mark name=\"m\"/>").count)
        for case .text(let said) in parts {
            let place = said.source.sourceRange(of: 0..<said.text.utf8.count)
            #expect(place.lowerBound >= 0 && place.upperBound <= text.utf8.count)
        }
    }
}
