import SynthSymbols
import SpokenRows
import SynthPhonemes
import Testing
import TestSupport

@testable import SynthKokoro

@Suite("The words of a text, as Kokoro's symbols have them", .espeakTurn)
struct SpokenRowTests {
    private func symbols(_ text: String) throws -> String {
        var reader = try KokoroReader(
            text, .american, voice: "en-us", lexicon: nil, english: ReadingTests.english.reader(for: .american))
        var symbols = ""
        while let sentence = try reader.next() { symbols += String(String.UnicodeScalarView(sentence.symbols)) }
        return symbols
    }

    @Test("English is said as a person would say it", arguments: SpokenRow.open("en"))
    func english(_ row: SpokenRow) throws {
        let texts = try row.engineTexts(in: "en-US")
        #expect(try row.isRight(in: "en-US", symbols), "\(texts)")
    }
}
