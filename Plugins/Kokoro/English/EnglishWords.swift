import SynthEnglish

/// What is known of English words beside their sounds.
enum EnglishWords {
    /// A full stop after one of these ends no sentence.
    static let titles: Set<String> = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Sr", "Jr", "Gen", "Col", "Capt", "Lt", "Sgt", "Rev", "Hon", "vs",
    ]

    /// They sound differently by context, and a capital letter never stresses them.
    static let contextual: Set<String> = ["a", "an", "am", "i", "in", "the", "to", "used"]

    /// A first capital gives an unstressed word a secondary stress; a word in capitals gets the main stress.
    static func stressed(_ symbols: [Unicode.Scalar], as text: String) -> [Unicode.Scalar] {
        guard text != text.lowercased(), !contextual.contains(text.lowercased()) else { return symbols }
        return Stress.stressed(symbols, text.count > 1 && text == text.uppercased() ? .loud : .slight)
    }
}
