import CEspeakNG
import Glibc

/// How a voice of espeak-ng writes the sounds of IPA: its phonemes have mnemonics of one to four letters, which it reads in
/// `[[ … ]]`.
///
/// Which phonemes a voice has, and how each of them sounds, differs between voices and releases. So the voice is asked for the
/// IPA of each mnemonic, alone and beside other sounds, and the answers are turned round.
package struct MnemonicTable: Sendable {
    /// By the letters of a sound, without stress.
    package let mnemonics: [IPALetters: String]
    /// Of a language that has tones.
    package let tones: Set<String>
    /// In letters.
    let longestSound: Int

    package init(mnemonics: [IPALetters: String], tones: Set<String> = []) {
        self.mnemonics = mnemonics
        self.tones = tones
        longestSound = mnemonics.keys.map(\.count).max() ?? 0
    }

    /// The table of the voice that is selected, in some 20 ms. Under the caller's lock, as every call of the library.
    package static func ofSelectedVoice() -> MnemonicTable {
        readingMnemonics {
            var found: [IPALetters: [Candidate]] = [:]
            for mnemonic in MnemonicList.sounds {
                for (letters, score) in sounds(of: mnemonic) {
                    found[letters, default: []].append(Candidate(mnemonic: mnemonic, score: score))
                }
            }
            return MnemonicTable(
                mnemonics: found.compactMapValues { candidates in
                    candidates.max { $0.rank < $1.rank }?.mnemonic
                },
                tones: Set(MnemonicList.tones.filter(isTone)))
        }
    }

    /// Only a synthesis tells the library whether a text that is turned into phonemes may hold mnemonics. The callback for sound
    /// must be set.
    static func readingMnemonics<Result>(_ body: () -> Result) -> Result {
        func set(_ flags: UInt32) { _ = espeak_Synth(" ", 2, 0, POS_CHARACTER, 0, flags, nil, nil) }
        set(UInt32(espeakCHARS_UTF8 | espeakPHONEMES))
        defer { set(UInt32(espeakCHARS_UTF8)) }
        return body()
    }

    private struct Candidate {
        let mnemonic: String
        let score: Int

        /// The plain phoneme goes before its variants, which rules of the language make of it: `t#`, `@-`, `a2`.
        var rank: Int {
            let variant = mnemonic.utf8.dropFirst().count { "-#/0123456789&+`".utf8.contains($0) }
            return 4 * (score - 20 * variant) - mnemonic.utf8.count
        }
    }

    /// What stands around a mnemonic: alone, stressed, after and before a vowel, and between other sounds.
    private static let surroundings: [(before: [String], stress: String, after: [String])] = [
        ([], "", []), ([], "'", []), (["@"], "", []), ([], "", ["@"]), (["t"], "'", ["t"]), (["t"], "", ["@"]),
        (["t"], "", ["t"]),
    ]

    /// The sounds that the selected voice makes of a mnemonic, and how surely.
    private static func sounds(of mnemonic: String) -> [IPALetters: Int] {
        var sounds: [IPALetters: Int] = [:]
        for (number, place) in surroundings.enumerated() {
            // A voice that has no such phoneme reads several, or none.
            if number == 2, sounds.isEmpty, !MnemonicList.marks.contains(mnemonic) { break }
            let written = place.before + [place.stress + mnemonic] + place.after
            let text = "[[\(written.joined(separator: "|"))]]"
            var heard = names(of: text, inIPA: false)
            while let last = heard.last, last.hasPrefix("_"), last != "_j" { heard.removeLast() }
            let ipa = names(of: text, inIPA: true).prefix(written.count)
            guard heard.count == written.count, ipa.count == written.count else { continue }
            let name = ipa[place.before.count]
            let letters = IPALetters(MnemonicList.names[name] ?? name)
            guard !letters.isEmpty, letters.isIPA else { continue }
            heard = heard.map { String($0.drop { "',%".contains($0) }) }
            sounds[letters, default: 0] += heard == place.before + [mnemonic] + place.after ? 10 : 1
        }
        return sounds
    }

    /// Whether the selected voice has a tone of that number: it is then a part of its vowel.
    private static func isTone(_ tone: String) -> Bool {
        let heard = names(of: "[['@|\(tone)]]", inIPA: false).filter { !$0.hasPrefix("_") }
        return heard.count == 1 && heard[0].hasSuffix(tone)
    }

    private static let separator: UInt8 = 0x1F

    /// The names of the phonemes that the selected voice speaks.
    private static func names(of text: String, inIPA: Bool) -> [String] {
        let mode = Int32(separator) << 8 | Int32(inIPA ? espeakPHONEMES_IPA : 0)
        return text.withCString { text in
            var names: [String] = []
            var rest: UnsafeRawPointer? = UnsafeRawPointer(text)
            // To the end: an unread rest would be spoken at the start of the next text.
            while rest != nil {
                guard let spoken = espeak_TextToPhonemes(&rest, espeakCHARS_UTF8, mode) else { break }
                let bytes = UnsafeBufferPointer(start: spoken, count: strlen(spoken))
                names += bytes.split(omittingEmptySubsequences: false) { $0 == CChar(separator) || $0 == 0x20 }.map {
                    name in
                    String(decoding: name.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
            }
            return names
        }
    }
}
