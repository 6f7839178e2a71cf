import Testing

@testable import SynthEnglish

@Suite("Rules for English words") struct EnglishRulesTests {
    private func said(_ stem: String, _ ending: Endings.Ending, _ accent: EnglishAccent) -> String? {
        Endings(accent: accent).sounds(Array(stem.unicodeScalars), ending).map { String(String.UnicodeScalarView($0)) }
    }

    @Test("The pronunciation of an ending depends on the preceding phoneme")
    func endings() {
        #expect(said("kˈæt", .s, .american) == "kˈæts")
        #expect(said("dˈɔɡ", .s, .american) == "dˈɔɡz")
        #expect(said("bˈʌs", .s, .american) == "bˈʌsᵻz")
        #expect(said("bˈʌs", .s, .british) == "bˈʌsɪz")
        #expect(said("wˈɔk", .ed, .american) == "wˈɔkt")
        #expect(said("wˈAt", .ed, .american) == "wˈAɾᵻd")
        #expect(said("wˈAt", .ed, .british) == "wˈAtɪd")
        #expect(said("nˈid", .ed, .american) == "nˈidᵻd")
        #expect(said("sˈɪt", .ing, .american) == "sˈɪɾɪŋ")
        #expect(said("tˈɛst", .ing, .american) == "tˈɛstɪŋ")
        #expect(said("ɹˈʌnə", .ing, .british) == nil)
    }

    @Test("Capitalization and compounding change the stress")
    func stress() {
        func stressed(_ sounds: String, _ emphasis: Emphasis) -> String {
            String(String.UnicodeScalarView(Stress.stressed(Array(sounds.unicodeScalars), emphasis)))
        }
        #expect(stressed("ænd", .slight) == "ˌænd")
        #expect(stressed("ænd", .loud) == "ˈænd")
        #expect(stressed("ˌɑɹnt", .loud) == "ˈɑɹnt")
        #expect(stressed("bˈɛlˌO", .weaker) == "bˌɛlO")
        #expect(stressed("ðə", .slight) == "ðˌə")
    }

    @Test(
        "A text is split into tokens",
        arguments: [
            ("Don't, O'Neill's", ["Do", "n't", ",", "O'Neill", "'s"]),
            ("well-known—e.g. this...", ["well", "-", "known", "—", "e.g.", "this", "..."]),
            ("(the dogs' U.S.)", ["(", "the", "dogs", "'", "U.S.", ")"]),
            ("T. H. White", ["T.", "H.", "White"]),
        ])
    func tokens(text: String, tokens: [String]) {
        let found = Tokens.tokens(of: text)
        #expect(found.map(\.text) == tokens)
        for token in found where !token.text.contains("'") {
            #expect(String(decoding: Array(text.utf8)[token.bytes], as: UTF8.self) == token.text)
        }
    }
}
