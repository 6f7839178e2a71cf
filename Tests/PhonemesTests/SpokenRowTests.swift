import SpokenRows
import Testing
import TestSupport

@testable import SynthPhonemes
import SynthSymbols

@Suite("Spoken texts as espeak-ng's phonemes", .espeakTurn)
struct SpokenRowTests {
    /// The phonemes of the text for the engines espeak-ng and Piper.
    private func symbols(_ text: String) throws -> String {
        try EspeakPhonemizer(voice: "en-us").sentences(of: text, readingInlinePhonemes: false)
            .map { String(String.UnicodeScalarView($0.scalars)) }.joined()
    }

    @Test("English texts are converted to the expected phonemes", arguments: SpokenRow.open("en"))
    func english(_ row: SpokenRow) throws {
        let texts = try row.engineTexts(in: "en-US")
        #expect(try row.isRight(in: "en-US", symbols), "\(texts)")
    }

    @Test("There are at least a hundred rows of texts")
    func size() { #expect(SpokenRow.open("en").count >= 100) }
}
