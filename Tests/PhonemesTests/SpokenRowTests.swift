import SpokenRows
import Testing
import TestSupport

@testable import SynthPhonemes
import SynthSymbols

@Suite("The words of a text, as espeak-ng's phonemes have them", .espeakTurn)
struct SpokenRowTests {
    /// Read by espeak-ng itself and by Piper.
    private func symbols(_ text: String) throws -> String {
        try EspeakPhonemizer(voice: "en-us").sentences(of: text, readingInlinePhonemes: false)
            .map { String(String.UnicodeScalarView($0.scalars)) }.joined()
    }

    @Test("English is said as a person would say it", arguments: SpokenRow.open("en"))
    func english(_ row: SpokenRow) throws {
        let texts = try row.engineTexts(in: "en-US")
        #expect(try row.isRight(in: "en-US", symbols), "\(texts)")
    }

    @Test("there are a hundred rows")
    func size() { #expect(SpokenRow.open("en").count >= 100) }
}
