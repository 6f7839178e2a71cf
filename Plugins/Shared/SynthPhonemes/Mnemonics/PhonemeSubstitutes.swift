/// Replacements for phonemes that a voice lacks.
///
/// Common substitutes are tried first, followed by the vowel or consonant with the most similar articulation. Clicks
/// have no replacement.
enum PhonemeSubstitutes {
    /// Common substitutes for a letter, best first.
    static let usual: [Unicode.Scalar: [String]] = [
        "ɚ": ["əɹ", "ər", "əɾ"], "ɝ": ["ɜː", "ɚ", "ɜɹ", "ɜr", "ɜɾ"], "˞": ["ɹ", "r", "ɾ"], "ɫ": ["l"], "ɲ": ["nj"],
        "ʎ": ["lj"], "ɥ": ["j"], "ʍ": ["w"], "ŋ": ["n"], "ɹ": ["ɾ", "r", "ɻ", "ʁ", "ʀ"], "ɻ": ["ɹ", "ɽ", "ɾ", "r"],
        "r": ["ɾ", "ɹ", "ʀ", "ʁ"], "ɾ": ["r", "ɹ", "ʀ", "ʁ"], "ɽ": ["ɾ", "r", "ɹ"], "ʀ": ["ʁ", "r", "ɹ", "ɾ"],
        "ʁ": ["ʀ", "ɣ", "r", "ɹ", "ɾ"], "ɰ": ["ɣ", "w"], "β": ["v", "b"], "ɸ": ["f", "p"], "ʋ": ["v", "w"], "ɢ": ["ɡ"],
        "ħ": ["h", "x"], "ɦ": ["h", "x"], "h": ["x", "ħ"], "ʕ": ["ʔ"], "ɧ": ["ʃ", "x"], "ɕ": ["ʃ", "s"],
        "ʑ": ["ʒ", "z"],
        "θ": ["s", "t"], "ð": ["z", "d"], "ɓ": ["b"], "ɗ": ["d"], "ɠ": ["ɡ"], "ʛ": ["ɡ"], "ʄ": ["ɟ", "dʒ"],
        "ᵻ": ["ɪ", "ɨ"], "ᵿ": ["ʊ", "u"], "ɱ": ["m"], "ʙ": ["b"], "ʜ": ["h", "x"], "ʢ": ["ʔ"], "ʡ": ["ʔ"],
    ]

    private enum Manner: Int {
        case plosive, fricative, approximant, lateral, trill, nasal
    }

    private struct Vowel {
        /// The height, from 0 (close) to 12 (open).
        let height: Int
        /// The backness, from 0 (front) to 8 (back).
        let backness: Int
        let isRounded: Bool
    }

    private struct Consonant {
        let manner: Manner
        /// The place of articulation, from 0 (the lips) to 10 (the glottis).
        let place: Int
        let isVoiced: Bool
    }

    /// Rows of equal height, from front to back, as pairs of unrounded and rounded vowels.
    private static let vowels: [Unicode.Scalar: Vowel] = {
        let rows: [(height: Int, letters: [(letter: Unicode.Scalar, backness: Int, isRounded: Bool)])] = [
            (
                0,
                [
                    ("i", 0, false), ("y", 0, true), ("ɨ", 4, false), ("ʉ", 4, true), ("ɯ", 8, false), ("u", 8, true),
                ]
            ),
            (2, [("ɪ", 1, false), ("ʏ", 1, true), ("ᵻ", 4, false), ("ᵿ", 6, true), ("ʊ", 7, true)]),
            (
                4,
                [
                    ("e", 0, false), ("ø", 0, true), ("ɘ", 4, false), ("ɵ", 4, true), ("ɤ", 8, false), ("o", 8, true),
                ]
            ),
            (6, [("ə", 4, false)]),
            (
                8,
                [
                    ("ɛ", 0, false), ("œ", 0, true), ("ɜ", 4, false), ("ɞ", 4, true), ("ʌ", 6, false), ("ɔ", 8, true),
                ]
            ),
            (10, [("æ", 0, false), ("ɐ", 4, false)]),
            (12, [("a", 2, false), ("ɶ", 0, true), ("ɑ", 7, false), ("ɒ", 8, true)]),
        ]
        var vowels: [Unicode.Scalar: Vowel] = [:]
        for row in rows {
            for (letter, backness, isRounded) in row.letters {
                vowels[letter] = Vowel(height: row.height, backness: backness, isRounded: isRounded)
            }
        }
        return vowels
    }()

    /// Voiceless and voiced consonants per manner of articulation, ordered by place of articulation; `_` is a gap.
    private static let consonants: [Unicode.Scalar: Consonant] = {
        let rows: [(manner: Manner, isVoiced: Bool, letters: String)] = [
            (.plosive, false, "p__t_ʈckq_ʔ"), (.plosive, true, "b__d_ɖɟɡɢ__"), (.plosive, true, "ɓ__ɗ__ʄɠʛ__"),
            (.fricative, false, "ɸfθsʃʂçxχħh"), (.fricative, true, "βvðzʒʐʝɣʁʕɦ"), (.fricative, false, "____ɕ__ɧ_ʜ_"),
            (.fricative, true, "____ʑ____ʢ_"), (.approximant, true, "_ʋ_ɹ_ɻjɰ___"), (.approximant, true, "______ɥw___"),
            (.approximant, false, "_______ʍ___"), (.lateral, true, "___l_ɭʎʟ___"), (.lateral, true, "___ɮ___ɫ___"),
            (.lateral, false, "___ɬ_______"), (.trill, true, "ʙ__r____ʀ__"), (.trill, true, "_ⱱ_ɾ_ɽ_____"),
            (.nasal, true, "mɱ_n_ɳɲŋɴ__"),
        ]
        var consonants: [Unicode.Scalar: Consonant] = [:]
        for row in rows {
            for (place, letter) in row.letters.unicodeScalars.enumerated() where letter != "_" {
                consonants[letter] = Consonant(manner: row.manner, place: place, isVoiced: row.isVoiced)
            }
        }
        return consonants
    }()

    /// Returns the most similar letter that the voice has; `nil` if no letter is similar.
    static func nearest(to letter: Unicode.Scalar, among letters: some Sequence<Unicode.Scalar>) -> Unicode.Scalar? {
        letters.compactMap { other in distance(letter, other).map { (other, $0) } }
            .min { ($0.1, $0.0.value) < ($1.1, $1.0.value) }?.0
    }

    static func isVowel(_ letter: Unicode.Scalar) -> Bool { vowels[letter] != nil || letter == "ɚ" || letter == "ɝ" }
    static func isConsonant(_ letter: Unicode.Scalar) -> Bool { consonants[letter] != nil }

    private static func distance(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Int? {
        if let one = vowels[one], let other = vowels[other] {
            return 2 * abs(one.height - other.height) + 2 * abs(one.backness - other.backness)
                + (one.isRounded == other.isRounded ? 0 : 5)
        }
        guard let one = consonants[one], let other = consonants[other] else { return nil }
        return 2 * abs(one.place - other.place) + (one.isVoiced == other.isVoiced ? 0 : 2)
            + (one.manner == other.manner ? 0 : 4 + abs(one.manner.rawValue - other.manner.rawValue))
    }
}
