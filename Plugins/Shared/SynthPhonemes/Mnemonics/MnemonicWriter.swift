/// Converts IPA to the mnemonics of an espeak-ng voice.
///
/// The output contains only mnemonics from the table, stress marks and breaks, so IPA cannot inject markup.
package struct MnemonicWriter {
    private let table: MnemonicTable
    /// The complete input, for error messages.
    private let ipa: String
    private var written: [String] = []
    private var stress = ""

    private init(_ table: MnemonicTable, of ipa: String) {
        self.table = table
        self.ipa = ipa
    }

    /// Returns the mnemonics for space-separated IPA words, or an empty string if there are no phonemes.
    ///
    /// At each position, the longest matching phoneme of the voice is consumed. A match may extend across ties, but not
    /// across stress marks, syllables or words. Marks that the voice lacks are omitted, and phonemes that it lacks are
    /// replaced with the most similar ones.
    package static func mnemonics(of ipa: String, by table: MnemonicTable) throws(PhonemeError) -> String {
        var words: [String] = []
        for word in ipa.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            var writer = MnemonicWriter(table, of: ipa)
            let stretches = stretches(of: word)
            for (index, stretch) in stretches.enumerated() {
                switch stretch {
                case .stress(let mark): writer.stress = mark
                case .letters(let letters):
                    try writer.write(letters, before: firstLetter(of: stretches[(index + 1)...]))
                }
            }
            if !writer.written.isEmpty { words.append(writer.written.joined(separator: "|")) }
        }
        return words.joined(separator: " ")
    }

    private static func firstLetter(of stretches: ArraySlice<Stretch>) -> Unicode.Scalar? {
        for stretch in stretches { if case .letters(let letters) = stretch { return letters.scalars.first } }
        return nil
    }

    private enum Stretch {
        case stress(String)
        case letters(IPALetters)
    }

    /// Splits a word at stress marks and breaks.
    private static func stretches(of word: Substring.UnicodeScalarView) -> [Stretch] {
        var stretches: [Stretch] = []
        var letters = String.UnicodeScalarView()
        func finish() {
            if !letters.isEmpty { stretches.append(.letters(IPALetters(String(letters)))) }
            letters = String.UnicodeScalarView()
        }
        for scalar in word {
            switch scalar {
            case "ˈ", "'", "\u{2019}":
                finish()
                stretches.append(.stress("'"))
            case "ˌ":
                finish()
                stretches.append(.stress(","))
            case _ where breaks.contains(scalar): finish()
            default: letters.append(scalar)
            }
        }
        finish()
        return stretches
    }

    /// Boundaries of syllables, feet and word groups; brackets; and other punctuation.
    private static let breaks: Set<Unicode.Scalar> = [
        ".", "|", "‖", "-", "‿", "/", "(", ")", ",", ";", "!", "?", "…", "¿", "¡", "\"", "“", "”", "↗", "↘",
    ]

    /// - Parameter following: The first letter of the word's next syllable.
    private mutating func write(_ letters: IPALetters, before following: Unicode.Scalar?) throws(PhonemeError) {
        var rest = letters.scalars[...]
        while let first = rest.first {
            if let tone = takeTone(&rest) {
                if !tone.isEmpty, !written.isEmpty { written.append(tone) }
            } else if let mnemonic = takeSound(&rest, before: following) {
                append(mnemonic)
            } else if first == "ː" {
                rest.removeFirst()
                if !written.isEmpty { written.append(":") }
            } else if let near = takeNear(&rest) {
                near.forEach { append($0) }
            } else if IPALetters.isMark(first) || first.properties.generalCategory == .modifierSymbol {
                rest.removeFirst()
            } else {
                throw .unknownSound(first, in: ipa)
            }
        }
    }

    private mutating func append(_ mnemonic: String) {
        written.append(stress + mnemonic)
        stress = ""
    }

    /// Consumes the longest matching phoneme of the voice. A consonant before a vowel belongs to that vowel and is not
    /// combined with the preceding vowel: `əl` is one phoneme in “able”, and two in “hello”.
    private mutating func takeSound(
        _ rest: inout ArraySlice<Unicode.Scalar>, before following: Unicode.Scalar?
    ) -> String? {
        for count in stride(from: min(table.longestSound, rest.count), to: 0, by: -1) {
            guard let mnemonic = table.mnemonics[IPALetters(scalars: rest.prefix(count))] else { continue }
            let next = rest.dropFirst(count).first ?? following
            if count > 1, let first = rest.first, let last = rest.prefix(count).last, let next,
                PhonemeSubstitutes.isVowel(first), PhonemeSubstitutes.isVowel(next),
                PhonemeSubstitutes.isConsonant(last)
            {
                continue
            }
            // The consonant is syllabic, but the voice has no syllabic form of it.
            if rest.dropFirst(count).first.map({ $0 == "\u{329}" || $0 == "\u{30D}" }) == true,
                let vowel = near("ə").flatMap(\.first)
            {
                append(vowel)
            }
            rest = rest.dropFirst(count)
            return mnemonic
        }
        return nil
    }

    /// Consumes the first letter and returns its replacement, including the length mark.
    private func takeNear(_ rest: inout ArraySlice<Unicode.Scalar>) -> [String]? {
        guard let first = rest.first, let near = near(first) else { return nil }
        rest.removeFirst()
        guard rest.first == "ː", near.count == 1,
            let short = table.mnemonics.first(where: { $0.key.count == 1 && $0.value == near[0] })?.key,
            let long = table.mnemonics[IPALetters(scalars: short.scalars + ["ː"])]
        else { return near }
        rest.removeFirst()
        return [long]
    }

    private func near(_ letter: Unicode.Scalar) -> [String]? {
        func mnemonic(_ letter: Unicode.Scalar) -> String? { table.mnemonics[IPALetters(scalars: [letter])] }
        if let own = mnemonic(letter) { return [own] }
        for usual in PhonemeSubstitutes.usual[letter] ?? [] {
            if let whole = table.mnemonics[IPALetters(usual)] { return [whole] }
            let parts = usual.unicodeScalars.compactMap(mnemonic)
            if parts.count == usual.unicodeScalars.count { return parts }
        }
        let single = table.mnemonics.keys.lazy.compactMap { $0.count == 1 ? $0.scalars.first : nil }
        return PhonemeSubstitutes.nearest(to: letter, among: single).flatMap(mnemonic).map { [$0] }
    }

    /// Consumes a tone, written as digits or IPA tone letters. Returns the voice's tone, or an empty string if the voice has
    /// no such tone.
    private func takeTone(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        if rest.first == "ɜ", !written.isEmpty, table.tones.contains("3") {
            // espeak-ng writes the third tone as `ɜ`.
            rest.removeFirst()
            return "3"
        }
        let heights = rest.prefix { Self.heights[$0] != nil }
        let signs = heights.isEmpty ? rest.prefix { ("0"..."9").contains($0) } : heights
        guard !signs.isEmpty else { return nil }
        rest = rest.dropFirst(signs.count)
        let digits = signs.map { Self.heights[$0] ?? String($0) }.joined()
        // If all tones are single digits, they are the language's tone numbers, not pitch levels.
        let hasHeights = table.tones.contains { $0.utf8.count > 1 }
        if !heights.isEmpty, !hasHeights { return "" }
        return [digits, digits + digits].first { table.tones.contains($0) } ?? ""
    }

    private static let heights: [Unicode.Scalar: String] = ["˥": "5", "˦": "4", "˧": "3", "˨": "2", "˩": "1"]
}
