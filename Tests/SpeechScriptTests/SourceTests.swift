import Testing
import TestNumbers

@testable import SynthScript

@Suite("Positions in the source")
struct SourceTests {
    @Test("Text copied from the document is mapped by an offset")
    func shifted() {
        #expect(SourceMap(offset: 7).sourceRange(of: 1..<4) == 8..<11)
        #expect(SourceMap(offset: 7).sourceRange(of: 2..<2) == 9..<9)
    }

    @Test("Each segment of a text has its own mapping")
    func segments() {
        // The document is "a&amp;b<x/>c", and the text is "a&bc".
        let map = SourceMap(segments: [
            .init(text: 0..<1, source: 0..<1), .init(text: 1..<2, source: 1..<6), .init(text: 2..<3, source: 6..<7),
            .init(text: 3..<4, source: 11..<12),
        ])
        #expect(map.sourceRange(of: 0..<1) == 0..<1)
        #expect(map.sourceRange(of: 1..<2) == 1..<6)
        #expect(map.sourceRange(of: 0..<4) == 0..<12)
        #expect(map.sourceRange(of: 2..<4) == 6..<12)
        #expect(map.sourceRange(of: 3..<3) == 11..<11)
        #expect(map.sourceRange(of: 4..<4) == 12..<12)
    }

    @Test(
        "Every visible byte is in exactly one utterance, in order, regardless of how the text is split",
        arguments: 0..<300
    )
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let text = NastyText.make(with: &random)
        let bytes = Array(text.utf8)
        let limits = UtteranceLimits(
            scalars: [5, 20, 80, 2_000].randomElement(using: &random) ?? 80,
            firstClauseAfter: Bool.random(using: &random) ? 10 : nil)
        let whole = try Splitting.utterances(bytes, limits: limits)
        for _ in 0..<3 {
            let chunk = Int.random(in: 1...40, using: &random)
            #expect(try Splitting.utterances(bytes, limits: limits, chunk: chunk) == whole)
        }
        var end = 0
        var covered = ""
        for utterance in whole {
            let range = utterance.sourceRange
            #expect(range.lowerBound >= end)
            end = range.upperBound
            let source = bytes[range].map { $0 < 0x20 ? 0x20 : $0 }
            let spoken = Array(utterance.text.utf8)
            #expect(source.count == spoken.count)
            #expect(zip(source, spoken).allSatisfy { $0 == $1 || $1 == 0x20 })
            #expect(utterance.text.unicodeScalars.count <= limits.scalars)
            covered += utterance.text
        }
        #expect(Visible.bytes(of: covered) == NastyText.visible(in: text))
    }
}
