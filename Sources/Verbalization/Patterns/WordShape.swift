/// What a word must look like.
enum WordShape: String, BitwiseCopyable, Sendable {
    case any = "word"
    case lower
    case capital = "Cap"
    case upper = "UP"
    /// One letter.
    case letter
    /// One capital letter.
    case initial
    /// A Roman number of capitals, but not a lone "I", nor "C", "D", "L" and "M", which are letters: "Part C".
    case roman
    case anyRoman = "anyroman"
    /// Two to five capital letters of the Latin alphabet, none of them a vowel, and perhaps a small s.
    case unspeakable
}

extension WordShape {
    var isLetter: Bool { self == .letter || self == .initial }

    /// The shapes of tokens that it allows.
    var shapes: Set<Token.Shape> {
        switch self {
        case .any: [.lower, .capital, .upper, .mixed]
        case .lower: [.lower]
        case .capital: [.capital]
        case .upper: [.upper]
        case .unspeakable: [.upper, .mixed]
        case .letter: [.lower, .capital]
        case .initial: [.capital]
        case .roman, .anyRoman: [.capital, .upper]
        }
    }
}
