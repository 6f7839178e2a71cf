/// Finds the phonemes of each word within the phonemes of a clause.
///
/// The words' concatenated phonemes are aligned with the clause's phonemes by weighted edit distance, which pairs
/// vowels with vowels. A symbol of the clause that is paired with a symbol of a word belongs to that word.
package enum WordAlignment {
    private enum Class {
        case vowel, consonant, mark, space, stop

        init(_ scalar: Unicode.Scalar) {
            self =
                switch scalar {
                case " ": .space
                case "ˈ", "ˌ", "ː", "ˑ", "ʰ", "ʲ", "ʷ", "ˤ", "˞", "'", "ʼ": .mark
                case "a", "e", "i", "o", "u", "y", "ɐ", "ɑ", "ɒ", "æ", "ɔ", "ə", "ɘ", "ɚ", "ɛ", "ɜ", "ɝ", "ɞ", "ɤ", "ɨ",
                    "ɪ", "ɯ", "ɵ", "ø", "œ", "ɶ", "ʉ", "ʊ", "ʌ", "ʏ", "ᵻ", "ᵿ":
                    .vowel
                case ".", "?", "!", ",", ":", ";": .stop
                default: scalar.properties.generalCategory == .nonspacingMark ? .mark : .consonant
                }
        }

        var gap: Int32 {
            switch self {
            case .mark, .space, .stop: 1
            case .vowel: 3
            case .consonant: 4
            }
        }
    }

    private static func exchange(_ first: (Unicode.Scalar, Class), _ second: (Unicode.Scalar, Class)) -> Int32 {
        if first.0 == second.0 { return 0 }
        return switch (first.1, second.1) {
        case (.vowel, .vowel): 2
        case (.consonant, .consonant): 4
        case (.mark, .mark): 1
        default: 100
        }
    }

    /// - Returns: The range of each word in `clause`, without spaces and punctuation at its ends; `nil` for a word that
    ///   is not spoken. The ranges are in order, without overlap.
    package static func symbols(of words: [[Unicode.Scalar]], in clause: [Unicode.Scalar]) -> [Range<Int>?] {
        let owners = self.owners(words, clause)
        var ranges = [Range<Int>?](repeating: nil, count: words.count)
        for (index, owner) in owners.enumerated() {
            let kind = Class(clause[index])
            guard let owner, kind != .space, kind != .stop else { continue }
            ranges[owner] = (ranges[owner]?.lowerBound ?? index)..<index + 1
        }
        return ranges
    }

    private enum Step: UInt8 {
        case both, clauseOnly, wordOnly
    }

    /// Returns the word index of each symbol in the clause.
    private static func owners(_ words: [[Unicode.Scalar]], _ clause: [Unicode.Scalar]) -> [Int?] {
        var spoken: [(symbol: (Unicode.Scalar, Class), word: Int)] = []
        for (word, symbols) in words.enumerated() where !symbols.isEmpty {
            if !spoken.isEmpty { spoken.append(((" ", .space), word)) }
            spoken += symbols.map { (($0, Class($0)), word) }
        }
        guard !spoken.isEmpty, !clause.isEmpty else { return [Int?](repeating: nil, count: clause.count) }

        let clausePhonemes = clause.map { ($0, Class($0)) }
        let width = spoken.count + 1
        var steps = [Step](repeating: .wordOnly, count: (clausePhonemes.count + 1) * width)
        var row = [Int32](repeating: 0, count: width)
        for column in 1..<width { row[column] = row[column - 1] + spoken[column - 1].symbol.1.gap }
        for line in 1...clausePhonemes.count {
            var diagonal = row[0]
            row[0] += clausePhonemes[line - 1].1.gap
            steps[line * width] = .clauseOnly
            for column in 1..<width {
                let both = diagonal + exchange(clausePhonemes[line - 1], spoken[column - 1].symbol)
                let clauseOnly = row[column] + clausePhonemes[line - 1].1.gap
                let wordOnly = row[column - 1] + spoken[column - 1].symbol.1.gap
                diagonal = row[column]
                let best = min(both, clauseOnly, wordOnly)
                row[column] = best
                steps[line * width + column] = best == both ? .both : best == clauseOnly ? .clauseOnly : .wordOnly
            }
        }

        var owners = [Int?](repeating: nil, count: clausePhonemes.count)
        var line = clausePhonemes.count
        var column = width - 1
        while line > 0 || column > 0 {
            switch steps[line * width + column] {
            case .both:
                owners[line - 1] = spoken[column - 1].word
                line -= 1
                column -= 1
            case .clauseOnly: line -= 1
            case .wordOnly: column -= 1
            }
        }
        return filled(owners, clausePhonemes)
    }

    /// Assigns an unpaired symbol to the same word as the preceding symbol or, if there is none, to the same word as the
    /// following symbol.
    private static func filled(_ owners: [Int?], _ clause: [(Unicode.Scalar, Class)]) -> [Int?] {
        var owners = owners
        // A stress mark belongs to the following syllable.
        for index in owners.indices.dropLast().reversed() where owners[index] == nil && clause[index].1 == .mark {
            if clause[index].0 == "ˈ" || clause[index].0 == "ˌ" { owners[index] = owners[index + 1] }
        }
        for index in owners.indices.dropFirst() where owners[index] == nil && clause[index].1 != .space {
            owners[index] = owners[index - 1]
        }
        for index in owners.indices.dropLast().reversed() where owners[index] == nil && clause[index].1 != .space {
            owners[index] = owners[index + 1]
        }
        return owners
    }
}
