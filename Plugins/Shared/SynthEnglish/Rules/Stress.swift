/// The phonemes of a word, in Kokoro's symbols.
package typealias Sounds = [Unicode.Scalar]

/// How a word's form in the text changes its stress.
package enum Emphasis {
    /// The word is capitalized: an unstressed word gets secondary stress.
    case slight
    /// The word is in all capitals: it gets main stress.
    case loud
    /// The word is a weaker part of a compound: its main stress becomes secondary stress.
    case weaker
}

/// Changes a word's stress marks.
package enum Stress {
    static let main: Unicode.Scalar = "ˈ"
    static let secondary: Unicode.Scalar = "ˌ"
    static let vowels = Set("AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ".unicodeScalars)
    static let consonants = Set("bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ".unicodeScalars)
    /// Phonemes that count double when the weights of a compound's parts are compared.
    private static let long = Set("AIOQWYʤʧ".unicodeScalars)

    static func isMark(_ symbol: Unicode.Scalar) -> Bool { symbol == main || symbol == secondary }

    package static func stressed(_ sounds: Sounds, _ emphasis: Emphasis?) -> Sounds {
        guard let emphasis else { return sounds }
        let hasMain = sounds.contains(main)
        switch emphasis {
        case .weaker:
            guard hasMain else { return sounds }
            return sounds.filter { $0 != secondary }.map { $0 == main ? secondary : $0 }
        case .slight:
            return sounds.contains(where: isMark) ? sounds : marked(sounds, secondary)
        case .loud:
            if hasMain { return sounds }
            return sounds.contains(secondary) ? sounds.map { $0 == secondary ? main : $0 } : marked(sounds, main)
        }
    }

    /// Inserts a stress mark before the first vowel.
    static func marked(_ sounds: Sounds, _ mark: Unicode.Scalar) -> Sounds {
        guard let vowel = sounds.firstIndex(where: vowels.contains) else { return sounds }
        return sounds[..<vowel] + [mark] + sounds[vowel...]
    }

    /// Stresses a spelled-out word: main stress on the last letter, secondary stress on all others.
    static func spelled(_ sounds: Sounds) -> Sounds {
        var sounds = sounds.filter { $0 != secondary }.map { $0 == main ? secondary : $0 }
        if let last = sounds.lastIndex(of: secondary) { sounds[last] = main }
        return sounds
    }

    static func weight(_ sounds: Sounds) -> Int { sounds.reduce(0) { $0 + (long.contains($1) ? 2 : 1) } }
}
