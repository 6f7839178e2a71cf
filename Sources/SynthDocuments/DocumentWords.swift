/// Words in the document's language that the reader adds to the text.
package struct DocumentWords: Equatable, Sendable {
    /// The word that introduces a footnote within the text.
    package let note: String
    /// The notice that replaces source code or other literal text, which is not read.
    package let code: String
    /// The notice that replaces a formula that cannot be verbalized.
    package let formula: String
    /// The words between a base and a non-numeric exponent, such as "to the power of".
    package let power: String
    /// The word between the numerator and the denominator of a fraction.
    package let over: String

    private init(_ note: String, _ code: String, _ formula: String, _ power: String, _ over: String) {
        (self.note, self.code, self.formula, self.power, self.over) = (note, code, formula, power, over)
    }

    /// - Parameter language: a BCP 47 tag. English is used for unsupported languages.
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
