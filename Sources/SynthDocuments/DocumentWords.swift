/// What is said of a document that it does not say itself, in its language.
package struct DocumentWords: Equatable, Sendable {
    /// Before a note that is read at its place.
    package let note: String
    /// Announces a program, or other text that is not read.
    package let code: String
    /// Announces a formula that cannot be put into words.
    package let formula: String
    /// Between the base and an exponent that is not a number.
    package let power: String
    /// Between the two parts of a fraction.
    package let over: String

    private init(_ note: String, _ code: String, _ formula: String, _ power: String, _ over: String) {
        (self.note, self.code, self.formula, self.power, self.over) = (note, code, formula, power, over)
    }

    /// - Parameter language: BCP-47; English stands for those that are not known.
    package init(language: String?) {
        let base = language.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() } ?? "en"
        self =
            Self.known[base]
            ?? DocumentWords("Note", "Code is left out.", "Formula.", "to the power of", "over")
    }

    private static let known = [
        "de": DocumentWords("Anmerkung", "Programmtext ausgelassen.", "Formel.", "hoch", "durch"),
        "fr": DocumentWords("Note", "Code omis.", "Formule.", "puissance", "sur"),
        "es": DocumentWords("Nota", "Código omitido.", "Fórmula.", "elevado a", "sobre"),
        "it": DocumentWords("Nota", "Codice omesso.", "Formula.", "elevato a", "fratto"),
        "pt": DocumentWords("Nota", "Código omitido.", "Fórmula.", "elevado a", "sobre"),
        "pl": DocumentWords("Przypis", "Kod pominięto.", "Wzór.", "do potęgi", "przez"),
        "ru": DocumentWords("Примечание", "Код пропущен.", "Формула.", "в степени", "делить на"),
        "nl": DocumentWords("Noot", "Code weggelaten.", "Formule.", "tot de macht", "gedeeld door"),
    ]
}
