import SynthSymbols
import SynthPhonemes
import Testing

@Suite struct VerbatimPhonemesTests {
    @Test("Letters are decomposed and keep their positions")
    func letters() {
        let text = "Té ç"
        let sentence = VerbatimPhonemes.sentence(ofLetters: text)
        #expect(sentence.scalars == ["T", "e", "\u{301}", " ", "c", "\u{327}"])
        let words = VerbatimPhonemes.words(of: sentence, around: sentence.scalars.indices)
        #expect(words.map(\.symbols) == [0..<3, 4..<6])
        #expect(words.map(\.bytes) == [0..<3, 4..<6])
    }

    @Test("Phonemes are used as written, word by word")
    func phonemes() {
        let sentence = VerbatimPhonemes.sentence(ofPhonemes: "həlˈoʊ  wˈɜːld")
        #expect(String(String.UnicodeScalarView(sentence.scalars)) == "həlˈoʊ  wˈɜːld")
        #expect(VerbatimPhonemes.words(of: sentence, around: sentence.scalars.indices).count == 2)
    }

    @Test("White space and punctuation alone are silent")
    func silence() {
        #expect(VerbatimPhonemes.sentence(ofLetters: " \n ").isSilent)
        #expect(VerbatimPhonemes.sentence(ofLetters: "...!").isSilent)
        #expect(!VerbatimPhonemes.sentence(ofLetters: "a").isSilent)
    }
}
