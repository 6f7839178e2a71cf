import CSynthEspeakNG
import Glibc

/// An espeak-ng voice's mnemonics, keyed by IPA. A mnemonic has one to four letters, and the library reads it in
/// `[[ … ]]`.
///
/// Voices and releases differ in which phonemes they have and in how they pronounce them. Therefore, the table is built
/// by collecting the IPA that the voice produces for each mnemonic, in isolation and in context, and inverting the
/// result.
package struct MnemonicTable: Sendable {
    /// The mnemonics, keyed by the letters of a phoneme without stress.
    package let mnemonics: [IPALetters: String]
    /// The tones; empty if the language has none.
    package let tones: Set<String>
    /// The length of the longest key, in letters.
    let longestSound: Int

    package init(mnemonics: [IPALetters: String], tones: Set<String> = []) {
        self.mnemonics = mnemonics
        self.tones = tones
        longestSound = mnemonics.keys.map(\.count).max() ?? 0
    }

    /// Builds the table for the selected voice, which takes about 20 ms. As with every call to the library, the caller
    /// must hold the lock.
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

    /// Runs `body` with mnemonics enabled. The library changes that setting only during synthesis, so this function
    /// synthesizes text twice and requires the audio callback to be set.
    static func readingMnemonics<Result>(_ body: () -> Result) -> Result {
        func set(_ flags: UInt32) { _ = espeak_Synth(" ", 2, 0, POS_CHARACTER, 0, flags, nil, nil) }
        set(UInt32(espeakCHARS_UTF8 | espeakPHONEMES))
        defer { set(UInt32(espeakCHARS_UTF8)) }
        return body()
    }

    private struct Candidate {
        let mnemonic: String
        let score: Int

        /// The rank of a mnemonic. A plain phoneme ranks above the variants that the rules of the language derive from
        /// it, such as `t#`, `@-` and `a2`.
        var rank: Int {
            let variant = mnemonic.utf8.dropFirst().count { "-#/0123456789&+`".utf8.contains($0) }
            return 4 * (score - 20 * variant) - mnemonic.utf8.count
        }
    }

    /// The contexts in which a mnemonic is tried: in isolation, stressed, after and before a vowel, and between other
    /// phonemes.
    private static let contexts: [(before: [String], stress: String, after: [String])] = [
        ([], "", []), ([], "'", []), (["@"], "", []), ([], "", ["@"]), (["t"], "'", ["t"]), (["t"], "", ["@"]),
        (["t"], "", ["t"]),
    ]

    /// Returns the phonemes that the selected voice produces for a mnemonic, each with a confidence score.
    private static func sounds(of mnemonic: String) -> [IPALetters: Int] {
        var sounds: [IPALetters: Int] = [:]
        for (number, context) in contexts.enumerated() {
            // If a voice lacks a phoneme, it produces several other phonemes or none.
            if number == 2, sounds.isEmpty, !MnemonicList.marks.contains(mnemonic) { break }
            let written = context.before + [context.stress + mnemonic] + context.after
            let text = "[[\(written.joined(separator: "|"))]]"
            var heard = names(of: text, inIPA: false)
            while let last = heard.last, last.hasPrefix("_"), last != "_j" { heard.removeLast() }
            let ipa = names(of: text, inIPA: true).prefix(written.count)
            guard heard.count == written.count, ipa.count == written.count else { continue }
            let name = ipa[context.before.count]
            let letters = IPALetters(MnemonicList.names[name] ?? name)
            guard !letters.isEmpty, letters.isIPA else { continue }
            heard = heard.map { String($0.drop { "',%".contains($0) }) }
            sounds[letters, default: 0] += heard == context.before + [mnemonic] + context.after ? 10 : 1
        }
        return sounds
    }

    /// Whether the selected voice has this tone. If so, the tone becomes part of its vowel.
    private static func isTone(_ tone: String) -> Bool {
        let heard = names(of: "[['@|\(tone)]]", inIPA: false).filter { !$0.hasPrefix("_") }
        return heard.count == 1 && heard[0].hasSuffix(tone)
    }

    private static let separator: UInt8 = 0x1F

    /// Returns the names of the phonemes that the selected voice produces for the text.
    private static func names(of text: String, inIPA: Bool) -> [String] {
        let mode = Int32(separator) << 8 | Int32(inIPA ? espeakPHONEMES_IPA : 0)
        return text.withCString { text in
            var names: [String] = []
            var rest: UnsafeRawPointer? = UnsafeRawPointer(text)
            // Read to the end; otherwise, the library would speak the rest at the start of the next text.
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

/// The mnemonics of all phonemes in espeak-ng's tables. Each voice has a subset of them, with its own pronunciations.
///
/// Stress marks, pauses, breaks and language switches are omitted because text must not be able to insert them.
enum MnemonicList {
    static let sounds = ##"""
        & &# &/ &: &U~ &i &y &~ * ** *; +2 0 0# 0` 0~ 0~` 1 2 3 3- 3: 4 5 6 7 8 8: :0 :1 ; <h> > ? ?& ?&# ?0 ?A ?E
        ?O ?V ?W ?W# ?e ?i ?o ?u ?y @ @# @- @/ @2 @3 @5 @: @:I @:U @E @I @L @U @Y @i @r A A# A1 A: A@ AI AU AY Au A~
        B C D E E# E% E- E1 E2 E3 E: EI EU Eu E~ G H I I# I1 I2 I2# I3 I: IR I^ Iu I~ J J# J^ K L L/ N N# N- N\ O O#
        O+ O- O1 O2 O: O@ OI OU OY Oa Oi O~ P Q Q" Q2 Q^ Q~ R R2 R3 R4 R^ R^/ S S; S~ T TS U U# U1 U: U@ UR U~ V V#
        VI VR VU V~ V~` W W# W2 W: Wi Wy W~ X Y Y: Y@ Yi Yu Yy Yy: Z Z; Z` _j a a# a#2 a- a. a/ a01 a02 a03 a04 a05
        a06 a07 a08 a09 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 a2 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29 a30 a31
        a32 a33 a34 a35 a36 a37 a38 a39 a40 a41 a42 a43 a44 a45 a46 a47 a48 a49 a50 a: a:I a:U a:i a:u aE aI aI# aI2
        aI3 aI: aI@ aI~ aU aU# aU: aU@ aU~ aW aY a` aa aai aang aau ai ang au a~ b b# b; c c# c2 cr d d# d- d. d.#
        d2 d; dH dZ dZ; dZ~ d[ d^ d_ d_z\ dz dz# dz. dz; e e# e+ e- e/ e2 e: e@ eA eI eI: eR eU e[u e` ea ee ei eng
        eo eoi eu ey e~ e~` f f; g g# g; gH g~ h h# h` hs ht i i" i# i. i/ i1 i2 i: i@ i@3 iA iAu iE iI iR iU i[ i`
        ia iau ie ing io iou iu iy i~ i~` j j. j/ ja ja# ju k k# k- k; k^ k_h k` kh ky k~ l l# l- l. l/ l/2 l/3 l/4
        l2 l: l; l^ ll m m# m- m; n n# n- n. n.# n2 n; n[ n^ n^# n_ ng o o# o& o+ o- o-: o/ o: o@ oA oI oI~ oU oU#
        oU: o` oe oeng oi ong ou o~ o~` p p# p- p2 p; pF p\ p_h p` ph q q- q0 q1 q3 q4 q46 q7 q8 q9 q` r r" r# r* r-
        r. r/ r/2 r2 r: rR r` s s# s- s. s2 s; s[ s\ s^ ss sx t t# t- t. t.# t2 t3 t; tS tS# tS; tS;- tS;h tS` tS~
        t[ t^ t_h t_s t_s\ t` th tl# ts ts# ts. ts.h ts2 ts; tsh tz u u" u": u# u- u-: u-I u. u1 u2 u: u@ uA uE uI
        uY u` ua uai ue uei ui ung uo uo` u~ u~` v v# v; v` w w# w/ w2 x x# x2 y y& y- y: y@ yE yI yU yY yi yu y~ z
        z# z- z. z/2 z2 z3 z; z` ~
        """##.split { $0 == " " || $0 == "\n" }.map(String.init)

    /// Mnemonics that modify the preceding phoneme.
    static let marks: Set<String> = [";", "~", "_j"]

    /// The IPA of phonemes for which espeak-ng returns a name instead of IPA, keyed by that name.
    static let names = [
        "A": "ɑ", "N": "ŋ", "S": "ʃ", "X": "χ", "l-": "ɫ", "o-": "ɤ", "i.": "ɨ", "n^": "ɲ", "k^": "c", "r.": "ɽ",
        "s.": "ʂ",
        "t[": "t̪", "d[": "d̪", "tS": "tʃ", "dZ": "dʒ", "ts.": "ʈʂ", "ts.h": "ʈʂʰ", "tl#": "tɬ", "p`": "pʼ", "t`": "tʼ",
        "k`": "kʼ", "q`": "qʼ", "tʃ`": "tʃʼ", "l#": "l̥", "m#": "m̥", "n#": "n̥", "r#": "r̥",
    ]

    /// Tones, which follow their vowel. A tone is a language-specific number, or a sequence of pitch levels from 1
    /// (low) to 5.
    static let tones = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "11", "21", "22", "23", "24", "31", "32", "33", "34", "35", "43",
        "44",
        "51", "53", "55", "214",
    ]
}

/// IPA letters in canonical form: decomposed, without ties and stress marks, and with a single letter for phonemes that
/// can be written in several ways.
package struct IPALetters: Hashable, Sendable, CustomStringConvertible {
    package private(set) var scalars: [Unicode.Scalar]

    init(scalars: some Sequence<Unicode.Scalar>) { self.scalars = Array(scalars) }

    package init(_ text: String) {
        scalars = []
        for scalar in text.decomposed {
            if scalar == "\u{327}", scalars.last == "c" {
                scalars[scalars.count - 1] = "ç"
            } else if let spelling = Self.spellings[scalar] {
                scalars += spelling
            } else if !Self.silent.contains(scalar) {
                scalars.append(scalar)
            }
        }
    }

    package var count: Int { scalars.count }
    package var isEmpty: Bool { scalars.isEmpty }
    package var description: String { String(String.UnicodeScalarView(scalars)) }

    /// Whether all scalars are valid IPA. For some phonemes, espeak-ng returns the mnemonic instead.
    var isIPA: Bool {
        scalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic && !("A"..."Z").contains(scalar) || Self.isMark(scalar)
        }
    }

    /// Whether the scalar modifies the preceding letter.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .modifierLetter: true
        case .modifierSymbol: scalar == "˞"
        default: false
        }
    }

    /// Ties, non-syllabic marks, and stress.
    private static let silent: Set<Unicode.Scalar> = [
        "\u{361}", "\u{35C}", "\u{203F}", "\u{32F}", "ˈ", "ˌ",
    ]
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "g": ["ɡ"], "ʦ": ["t", "s"], "ʣ": ["d", "z"], "ʧ": ["t", "ʃ"], "ʤ": ["d", "ʒ"], "ʨ": ["t", "ɕ"],
        "ʥ": ["d", "ʑ"],
        "ɷ": ["ʊ"], "ɩ": ["ɪ"], "ʴ": ["˞"], ":": ["ː"],
    ]
}
