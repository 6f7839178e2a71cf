import SynthSymbols
import SpokenRows
import SynthPhonemes
import Testing
import TestSupport

@testable import SynthKokoro

@Suite("Spoken texts as Kokoro's symbols", .espeakTurn)
struct SpokenRowTests {
    private func symbols(_ text: String) throws -> String {
        var reader = try KokoroReader(
            text, .american, voice: "en-us", lexicon: nil, english: ReadingTests.english.reader(for: .american))
        var symbols = ""
        while let sentence = try reader.next() { symbols += String(String.UnicodeScalarView(sentence.symbols)) }
        return symbols
    }

    @Test("English texts are converted to the expected symbols", arguments: SpokenRow.open("en"))
    func english(_ row: SpokenRow) throws {
        let texts = try row.engineTexts(in: "en-US")
        #expect(try row.isRight(in: "en-US", symbols), "\(texts)")
    }
}
