import Foundation
import SynthSymbols
import Testing
import TestSupport

@testable import SynthKokoro

@Suite("English without espeak-ng", .espeakTurn) struct EnglishPositionsTests {
    private func symbols(
        _ text: String, _ language: KokoroLanguage = .american, lexicon: PronunciationLexicon? = nil
    ) throws -> String {
        try ReadingTests.sentences(text, language, lexicon: lexicon).map {
            String(String.UnicodeScalarView($0.symbols))
        }
        .joined(separator: " ")
    }

    @Test("The surrounding words determine a word's pronunciation in every sentence of a text")
    func contexts() throws {
        #expect(
            try symbols("They lead the team. The pipes were made of lead.")
                == "ðˌA lˈid ðə tˈim. ðə pˈIps wɜɹ mˌAd ʌv lˈɛd.")
        #expect(
            try symbols("Dr. Smith used to live in the old house.", .british).contains("jˈuːst tə lˈɪv ɪn ði ˈQld hˈWs")
        )
    }

    @Test("Numbers and words in other scripts are read by espeak-ng")
    func others() throws {
        #expect(try symbols("It cost 25 dollars.") == "ˌɪt kˈɔst twˈɛnti fˈIv dˈɑləɹz.")
        let words = try ReadingTests.sentences("We saw Москва again.").flatMap(\.words)
        #expect(words.count == 4)
    }

    @Test("Compounds, contractions and quoted words keep their positions")
    func places() throws {
        let text = "\"Don't,\" he said; the well-known dogs' 'bowls' and/or cups."
        let words = try ReadingTests.sentences(text).flatMap(\.words).map {
            String(decoding: Array(text.utf8)[$0.bytes], as: UTF8.self)
        }
        #expect(words == ["Don't", "he", "said", "the", "well-known", "dogs", "bowls", "and/or", "cups"])
    }

    @Test("A user's word list takes precedence, and misaki's lists have no effect")
    func lists() throws {
        let folder = try TemporaryFolder()
        let own = try PronunciationLexicon(path: try folder.write(Data("tomato təmˈɑtO\n".utf8), to: "own.txt"))
        #expect(try symbols("A tomato.", lexicon: own) == "ɐ təmˈɑtO.")
        #expect(try symbols("Tomatoes.", lexicon: own) == "təmˈɑtOz.")
        let json = #"{"wind": {"DEFAULT": "wˈɪnd", "VERB": "wˈInd"}, "boat": "bˈOt"}"#
        let misaki = try PronunciationLexicon(path: try folder.write(Data(json.utf8), to: "us.json"))
        let text = "Please wind the clock in the boat."
        #expect(try symbols(text, lexicon: misaki) == symbols(text))
        #expect(try symbols(text).contains("wˈInd ðə"))
    }
}
