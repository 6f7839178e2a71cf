/// English words that the training reads otherwise than espeak-ng does.
enum EnglishWords {
    /// Their full stop ends no sentence.
    static let titles: Set<String> = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Sr", "Jr", "Gen", "Col", "Capt", "Lt", "Sgt", "Rev", "Hon", "vs",
    ]

    /// Without stress these have a vowel of their own.
    private static let weak: [String: [Unicode.Scalar]] = [
        "a": ["ɐ"], "an": ["ɐ", "n"], "am": ["ɐ", "m"],
    ]

    private static let stresses: Set<Unicode.Scalar> = ["ˈ", "ˌ"]

    /// - Parameter spoken: What espeak-ng says in this place.
    static func symbols(of text: String, spoken: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        guard !spoken.contains(where: stresses.contains) else { return nil }
        // Never quite without stress in the training.
        if text == "I" { return ["ˌ"] + spoken }
        return weak[text.lowercased()]
    }
}
