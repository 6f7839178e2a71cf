import SynthScript
import Testing
import TestNumbers

@Suite("Positions counted in characters")
struct CharacterPositionsTests {
    private func check(_ text: String, chunk: Int) throws {
        let bytes = Array(text.utf8)
        for utterance in try Splitting.utterances(bytes, limits: UtteranceLimits(scalars: 30), chunk: chunk) {
            let places = utterance.characters
            let start = utterance.sourceRange.lowerBound
            for offset in 0...utterance.text.utf8.count {
                let end = start + offset
                // Only positions at which a character of the document begins are checked.
                if end < bytes.count, UTF8.isContinuation(bytes[end]) { continue }
                let characters = bytes[..<end].count { !UTF8.isContinuation($0) }
                #expect(places.offset(of: offset, in: utterance.text) == characters)
            }
        }
    }

    @Test(
        "A multi-byte control character counts as one character",
        arguments: [
            "\u{FEFF}Grüße. Zwei.", "a\u{85}b. c\u{9B}31md. e", "Eins\u{2028}zwei\u{2029}drei 🎉 vier. Fünf",
            "\u{1B}]0;Grüße\u{7}Hallo. \u{1B}]0;Ä\u{7}Wörter. Ende",
        ])
    func controls(text: String) throws {
        for chunk in [1, 2, 3, 7, .max] { try check(text, chunk: chunk) }
    }

    @Test("Positions are correct for any text", arguments: 0..<100)
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let text = NastyText.make(with: &random)
        try check(text, chunk: Int.random(in: 1...40, using: &random))
    }
}
