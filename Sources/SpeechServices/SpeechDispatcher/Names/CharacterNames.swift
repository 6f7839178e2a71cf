/// How characters and keys are called in a language.
struct CharacterNames: Sendable {
    /// BCP-47, without a country.
    let language: String
    let symbols: [Character: SymbolName]
    /// By their names in the protocol, in lower case.
    let keys: [String: String]
    /// Said before a capital letter.
    let capital: String

    private static let all = [english, german]

    /// The names for a language; English ones if it has none here.
    static func of(_ language: String) -> CharacterNames {
        let main = language.prefix { $0 != "-" }.lowercased()
        return all.first { $0.language == main } ?? english
    }

    /// What to say for one character alone.
    ///
    /// - Parameter tellsCapitals: a capital letter is said to be one.
    func word(for character: Character, tellsCapitals: Bool) -> String {
        if let symbol = symbols[character] { return symbol.name }
        let letter = Self.alone(character)
        return tellsCapitals && character.isUppercase ? "\(capital) \(letter)" : letter
    }

    /// A letter by itself: a capital is read as a letter, where "a" is read as a word.
    static func alone(_ character: Character) -> String {
        let upper = character.uppercased()
        return upper.count == 1 ? upper : String(character)
    }

    /// What to say for a key, as in "shift_a" and "control_Home".
    func word(forKey key: String) -> String {
        let parts = key == "_" ? [key[...]] : key.split(separator: "_", omittingEmptySubsequences: true)
        let words = parts.map { part -> String in
            if let name = keys[part.lowercased()] { return name }
            if part.count == 1, let character = part.first { return word(for: character, tellsCapitals: false) }
            return String(part.replacing("-", with: " "))
        }
        return words.isEmpty ? key : words.joined(separator: " ")
    }
}
