extension Utterance {
    /// Whether it ends with a mark at which people pause.
    package var endsClause: Bool {
        for scalar in text.unicodeScalars.reversed() {
            switch ScalarClass.of(scalar.value) {
            case .clause, .wideClause, .dash, .ellipsis, .strong, .wide, .period: return true
            case .quote, .turnedQuote, .leftGuillemet, .rightGuillemet, .closer: continue
            default: return false
            }
        }
        return false
    }
}
