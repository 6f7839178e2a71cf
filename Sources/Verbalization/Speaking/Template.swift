/// What a rule says: words, captures in some form, and parts that are left out if a capture in them is empty.
struct Template: Sendable {
    enum Part: Sendable {
        case words(String)
        case capture(slot: Int, Verb)
        case optional([Part])
    }

    /// How a capture is said.
    enum Verb: Sendable {
        /// The value of its list's entry, otherwise the text.
        case value
        case text
        /// Digit by digit.
        case digits
        /// The same, as the digits of telephone numbers are said.
        case telephone
        /// The value of its list's entry, otherwise letter by letter.
        case letters
        /// An address or a path: names, and the words for the marks between.
        case address
        /// Words that were written together: at capitals, digits and low lines.
        case camel
        /// The same, as programmers say their names: low lines and equals signs have words.
        case identifier
        /// Digits as those of rooms, flights and models are said: "twelve oh four".
        case pairs
        /// Digits two by two, as those of telephone numbers are said in many languages: "trente-six zéro neuf".
        case twos
        /// Letters and such digits: "B two B".
        case code
        /// A form of the entry for a number, or of this place.
        case name(number: Int?, form: Int?)
        /// The same of the hundredth part.
        case minor(number: Int)
        /// The number in a form of ICU, which may depend on the gender of an entry.
        case form(NumberForm, genderOf: Int?, minor: Bool)
    }

    let parts: [Part]
}
