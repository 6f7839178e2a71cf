extension WordShape {
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
