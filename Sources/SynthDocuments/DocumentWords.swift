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

    /// - Parameter language: a BCP 47 tag. English is used for unsupported languages.
    package init(language: String?) {
        let base = language.map { String($0.prefix { $0 != "-" && $0 != "_" }).lowercased() } ?? Self.fallback
        func text(_ texts: [String: String]) -> String { texts[base] ?? texts[Self.fallback] ?? "" }
        note = text(LanguageWords.note)
        code = text(LanguageWords.code)
        formula = text(LanguageWords.formula)
        power = text(LanguageWords.power)
        over = text(LanguageWords.over)
    }

    private static let fallback = "en"
}
