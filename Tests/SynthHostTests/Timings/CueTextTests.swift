import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Subtitle text")
struct CueTextTests {
    private func split(_ text: String) -> [[String]] { CueText.split(text).map(\.lines) }

    @Test(
        "A short sentence takes up one line, and a longer one takes up two lines of similar length",
        arguments: [
            ("Hello, world.", [["Hello, world."]]),
            ("  Hello,   world.  ", [["Hello, world."]]),
            (
                "The quick brown fox jumps over the lazy dog at noon.",
                [["The quick brown fox jumps", "over the lazy dog at noon."]]
            ),
            ("", []), (" \u{3000} ", []),
            ("👋🏽 🎉", [["👋🏽 🎉"]]),
            ("مرحبا بالعالم، كيف حالك؟", [["مرحبا بالعالم، كيف حالك؟"]]),
        ])
    func short(text: String, expected: [[String]]) { #expect(split(text) == expected) }

    @Test("A long sentence is split at the end of a clause")
    func clauses() {
        #expect(
            split(
                "When the ships had left the harbour in the morning, nobody on the shore knew where they would go, "
                    + "or when they would come back.")
                == [
                    ["When the ships had left", "the harbour in the morning,"],
                    ["nobody on the shore knew where they", "would go, or when they would come back."],
                ])
    }

    @Test("A long sentence without clauses leaves no short remainder")
    func rest() {
        let text = Array(repeating: "seven", count: 15).joined(separator: " ")
        #expect(text.count == 89)
        let pieces = CueText.split(text)
        #expect(pieces.map { $0.lines.joined(separator: " ").split(separator: " ").count } == [8, 7])
    }

    @Test("Words that are wider than a line, and texts in scripts without spaces, are split")
    func wide() {
        let address = "https://example.org/" + String(repeating: "x", count: 100)
        #expect(split(address).flatMap(\.self).joined() == address)
        let chinese = String(repeating: "我们今天早上去了海边，", count: 8) + "很开心。"
        let pieces = split(chinese)
        #expect(pieces.flatMap(\.self).joined() == chinese)
        #expect(pieces.count > 2 && pieces.dropLast().allSatisfy { $0.last?.last == "，" })
    }

    @Test(
        "No line is too wide or empty, no text is lost, and the ranges are in order",
        arguments: [
            Array(repeating: "word", count: 300).joined(separator: " "),
            String(repeating: "Ein längerer Satz, mit Kommas; und mehr: so geht es weiter ", count: 20),
            String(repeating: "かな漢字", count: 100), String(repeating: "👩‍👩‍👧", count: 200),
            String(repeating: "a\u{301}", count: 300), String(repeating: "\u{301}", count: 300),
            String(repeating: "שלום עולם ", count: 60), String(repeating: ", ", count: 100),
            String(repeating: "ประเทศไทย", count: 60), "x\u{A0}" + String(repeating: "y\u{A0}", count: 90),
        ])
    func invariants(text: String) {
        let pieces = CueText.split(text)
        var end = 0
        for piece in pieces {
            #expect((1...2).contains(piece.lines.count))
            #expect(piece.lines.allSatisfy { !$0.isEmpty && DisplayWidth.columns($0) <= 42 })
            #expect(piece.range.lowerBound >= end && !piece.range.isEmpty)
            end = piece.range.upperBound
        }
        #expect(end <= text.utf8.count)
        func solid(_ text: String) -> String { text.filter { $0 != " " } }
        #expect(solid(pieces.flatMap(\.lines).joined()) == solid(text))
    }
}
