import Testing
import TestSupport

@testable import SynthPhonemes

/// Converts in both directions for all installed voices. espeak-ng 1.51 has 131 voices.
@Suite("The IPA of all voices", .serialized, .espeakTurn) struct MnemonicVoiceTests {
    private static let numbers = Array(0..<40) + [55, 66, 77, 88, 99, 100, 234, 1_000, 5_678]

    /// For each voice, how many of the test numbers it does not reproduce, and why.
    private static let exceptions: [String: (count: Int, reason: String)] = [
        "sit/cmn": (38, "its IPA has one digit for a tone that is written with two"),
        "sit/cmn-Latn-pinyin": (38, "its IPA has one digit for a tone that is written with two"),
        "gmq/da": (12, "the name of its glottal stops is a question mark"),
        "trk/kk": (8, "its dark l depends on the letters of the word"),
        "trk/uz": (12, "its dark l depends on the letters of the word"),
        "inc/gu": (2, "it names the aspiration of a long consonant twice"),
        "inc/mr": (3, "it names the aspiration of a long consonant twice"),
        "inc/pa": (1, "it names the aspiration of a long consonant twice"),
        "poz/id": (1, "a schwa between two consonants is spoken only if it is part of the word"),
        "poz/ms": (2, "a schwa between two consonants is spoken only if it is part of the word"),
        "zle/ru": (19, "the sound of its unstressed a depends on the position in the word"),
        "zle/ru-LV": (19, "the sound of its unstressed a depends on the position in the word"),
        "sai/gn": (33, "it reads numbers by the rules of another language"),
        "grk/grc": (24, "it reads numbers by the rules of another language"),
        "inc/ne": (34, "it reads numbers by the rules of another language"),
        "sem/ar": (1, "its emphasis is a separate mark"),
        "art/piqd": (1, "the stress of a number may depend on the preceding text"),
        "art/qdb": (1, "two of its phonemes have the same name"),
        "bnt/tn": (1, "its syllabic s has no name"),
    ]

    private static func inIPA(_ spoken: String) -> String {
        var spoken = spoken
        for (name, ipa) in MnemonicList.names.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) {
            spoken = spoken.split(separator: name, omittingEmptySubsequences: false).joined(separator: ipa)
        }
        return spoken
    }

    private static func joined(_ ipa: String) -> String { ipa.split(separator: " ").joined() }

    private static func stresses(_ ipa: String) -> Int { ipa.unicodeScalars.count { $0 == "ˈ" } }

    @Test("Every phoneme of a voice can be written for that voice, and spoken numbers survive the conversion")
    func everyVoice() throws {
        let voices = try Espeak.voices().filter { !$0.hasPrefix("mb/") }
        #expect(voices.count > 100)
        for voice in voices {
            let table = try Espeak.mnemonics(of: voice)
            for (letters, mnemonic) in table.mnemonics {
                let written = try? MnemonicWriter.mnemonics(of: letters.description, by: table)
                #expect(written == mnemonic, "\(voice): \(letters)")
            }
            let spoken = try Espeak.phonemes(ofWords: Self.numbers.map(String.init), voice: voice)
            var lost: [String] = []
            for ipa in spoken.map(Self.inIPA) {
                let mnemonics = (try? MnemonicWriter.mnemonics(of: ipa, by: table)) ?? ""
                let back = Self.inIPA(try Espeak.phonemes(ofMnemonics: "[[\(mnemonics)]]", voice: voice))
                if IPALetters(Self.joined(back)) != IPALetters(Self.joined(ipa))
                    || Self.stresses(back) != Self.stresses(ipa)
                {
                    lost.append(ipa)
                }
            }
            #expect(lost.count <= Self.exceptions[voice]?.count ?? 0, "\(voice): \(lost.prefix(3))")
        }
    }
}
