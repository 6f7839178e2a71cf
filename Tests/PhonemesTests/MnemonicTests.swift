import Testing
import TestSupport

@testable import SynthPhonemes

@Suite("Converting IPA to espeak-ng's mnemonics", .serialized, .espeakTurn) struct MnemonicTests {
    private func heard(_ ipa: String, _ voice: String) throws -> String {
        let mnemonics = try MnemonicWriter.mnemonics(of: ipa, by: Espeak.mnemonics(of: voice))
        return try Espeak.phonemes(ofMnemonics: "[[\(mnemonics)]]", voice: voice)
    }

    @Test(
        "A word's IPA yields the word's phonemes",
        arguments: [
            ("en-us", "hello"), ("en-us", "chair"), ("en-us", "bird"), ("en-gb", "thought"), ("de", "Eichhörnchen"),
            ("fr-fr", "bonjour"), ("es", "perro"), ("pl", "dziewięć"), ("ru", "здравствуйте"), ("hi", "नमस्ते"),
            ("cs", "zmrzlina"), ("fi", "hyvää"), ("tr", "güneş"), ("sv", "sjuksköterska"),
        ])
    func words(voice: String, word: String) throws {
        let ipa = try #require(Espeak.phonemes(ofWords: [word], voice: voice).first)
        #expect(try heard(ipa, voice) == ipa)
    }

    @Test(
        "Common IPA spellings are spoken",
        arguments: [
            ("həˈloʊ", "həlˈoʊ"),  // Stress before the syllable.
            ("t͡ʃiːz", "tʃiːz"), ("ʧiːz", "tʃiːz"), ("tʃˈiːz", "tʃˈiːz"),  // Ties and ligatures.
            ("ˈsɪəɹʃə", "sˈɪəɹʃə"), ("ˈbɛɹ.i", "bˈɛɹi"), ("gɑːd", "ɡɑːd"),
            ("kɑ̃", "kɑ̃"), ("ˈsʌmn̩", "sˈʌmn̩"),
            // Phonemes that American English lacks are replaced by the most similar ones that it has.
            ("yː", "iː"), ("ˈgœte", "ɡˈɛɾe"), ("kʰæt̚", "kæt"), ("ʙi", "bi"), ("mi˥˩", "mi"),
        ])
    func writing(ipa: String, spoken: String) throws {
        #expect(IPALetters(try heard(ipa, "en-us")) == IPALetters(spoken))
    }

    @Test("A consonant is combined with the preceding vowel only if no vowel follows")
    func syllables() throws {
        let table = try Espeak.mnemonics(of: "en-us")
        #expect(try MnemonicWriter.mnemonics(of: "həlˈoʊ", by: table) == "h|@|l|'oU")
        #expect(try MnemonicWriter.mnemonics(of: "ˈeɪbəl", by: table) == "'eI|b|@L")
    }

    @Test("Tones are written for languages that have tones")
    func tones() throws {
        let mandarin = try Espeak.mnemonics(of: "cmn")
        #expect(try MnemonicWriter.mnemonics(of: "ma˥ ma˨˩˦ ma35", by: mandarin) == "m|a|55 m|a|214 m|a|35")
        #expect(try MnemonicWriter.mnemonics(of: "ta5", by: Espeak.mnemonics(of: "th")).hasSuffix("|5"))
    }

    @Test(
        "A symbol that does not resemble any phoneme is reported",
        arguments: [("ǃa", "ǃ"), ("Boa", "B"), ("a]b", "]"), ("a*", "*")])
    func unknown(ipa: String, sign: Unicode.Scalar) throws {
        let table = try Espeak.mnemonics(of: "en-us")
        #expect(throws: PhonemeError.unknownSound(sign, in: ipa)) { try MnemonicWriter.mnemonics(of: ipa, by: table) }
    }

    @Test("IPA is converted only to mnemonics, stress marks, breaks and brackets")
    func harmless() throws {
        let table = try Espeak.mnemonics(of: "en-us")
        let allowed = Set(table.mnemonics.values).union(table.tones).union([":"])
        var numbers: UInt64 = 7
        for _ in 0..<2000 {
            var ipa = ""
            for _ in 0..<8 {
                numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let letters = Array("_^|%'=:;#~@*!()[]{}<>\u{1}+-,.0123456789abənːˈˌ˥\u{303} \\$&")
                ipa.append(letters[Int(numbers >> 33) % letters.count])
            }
            guard let written = try? MnemonicWriter.mnemonics(of: ipa, by: table) else { continue }
            for sound in written.split(whereSeparator: { $0 == "|" || $0 == " " }) {
                let plain = String(sound.drop { $0 == "'" || $0 == "," })
                #expect(allowed.contains(plain), "\(ipa): \(written)")
            }
        }
    }

    @Test(
        "Positions in plain text are kept, and brackets in it are not treated as phonemes",
        arguments: [
            ("Say [[həlˈoʊ]] now.", "Say [[h|@|l|'oU]] now."), ("“[[bi]].” He", "“ [[b|i]].” He"),
            ("[[bi]]. now", "[[b|i]]  now"), ("[[bi]]. Now", "[[b|i]]. Now"), ("[[bi]]s", "[[b|i]] s"),
            ("a [[ b", "a [ [ b"), ("x[[bi]]", "x [[b|i]]"), ("[[b i]]", "[[b i]]"),
        ])
    func texts(text: String, written: String) throws {
        let made = try MnemonicText(text, by: Espeak.mnemonics(of: "en-us"))
        #expect(String(decoding: made.safeBytes(voice: "en-us"), as: UTF8.self) == written)
        for piece in made.pieces where !piece.isWord && !piece.bytes.isEmpty {
            #expect(Array(text.utf8)[piece.bytes].elementsEqual(piece.text.utf8))
        }
    }
}
