/// What is said of a document that it does not say itself, in its language.
package struct DocumentWords: Equatable, Sendable {
    /// Before a note that is read at its place.
    package let note: String
    /// In place of a programme, or what else is written letter for letter.
    package let code: String

    private init(_ note: String, _ code: String) { (self.note, self.code) = (note, code) }

    /// - Parameter language: BCP-47; English stands for those that are not known.
    package init(language: String?) {
        let base = language.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() } ?? "en"
        self = Self.known[base] ?? DocumentWords("Note", "Code is left out.")
    }

    private static let known = [
        "de": DocumentWords("Anmerkung", "Programmtext ausgelassen."), "fr": DocumentWords("Note", "Code omis."),
        "es": DocumentWords("Nota", "Código omitido."), "it": DocumentWords("Nota", "Codice omesso."),
        "pt": DocumentWords("Nota", "Código omitido."), "pl": DocumentWords("Przypis", "Kod pominięto."),
        "ru": DocumentWords("Примечание", "Код пропущен."), "nl": DocumentWords("Noot", "Code weggelaten."),
    ]
}
