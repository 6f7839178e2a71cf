/// Letters of IPA in one form: decomposed, one letter for each sound that has several, without ties and without stress.
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

    /// Whether all of it can stand in IPA. For some sounds espeak-ng's own name is its mnemonic.
    var isIPA: Bool {
        scalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic && !("A"..."Z").contains(scalar) || Self.isMark(scalar)
        }
    }

    /// Whether it changes the letter before it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .modifierLetter: true
        case .modifierSymbol: scalar == "˞"
        default: false
        }
    }

    /// Ties, marks of two vowels in one syllable, stress.
    private static let silent: Set<Unicode.Scalar> = [
        "\u{361}", "\u{35C}", "\u{203F}", "\u{32F}", "ˈ", "ˌ",
    ]
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "g": ["ɡ"], "ʦ": ["t", "s"], "ʣ": ["d", "z"], "ʧ": ["t", "ʃ"], "ʤ": ["d", "ʒ"], "ʨ": ["t", "ɕ"],
        "ʥ": ["d", "ʑ"],
        "ɷ": ["ʊ"], "ɩ": ["ɪ"], "ʴ": ["˞"], ":": ["ː"],
    ]
}
