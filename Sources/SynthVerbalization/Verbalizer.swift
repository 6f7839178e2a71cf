import SynthSystem

/// Finds what a text does not spell out - numbers, dates, sums, abbreviations, addresses - and says it in the words of a
/// language.
///
/// What the language's tables do not recognise stays as it is. The tables are read when a text first needs them, ICU is
/// opened when a number first needs it. One verbalizer does one text at a time; others wait.
package final class Verbalizer: Sendable {
    private struct State {
        var tables: Result<Language?, any Error>?
        var numbers: NumberWords?
        var heardNumbers: HeardNumberWords?
        var work = 0
    }

    /// The tag of BCP 47 that it was made with.
    package let language: String
    private let folder: String
    private let state = Monitor(State())
    private let plainWords = Monitor<PlainWords?>(nil)

    /// Reads nothing.
    ///
    /// - Parameters:
    ///   - language: a tag of BCP 47: `en`, `en-GB`.
    ///   - tables: the folder with the languages' folders.
    package init(language: String, tables: String) {
        self.language = language
        folder = tables
    }

    /// Reads the tables and opens ICU.
    ///
    /// - Returns: whether there are tables for the language.
    package func check() throws -> Bool {
        try state.update { state in
            guard let language = try load(&state).get() else { return false }
            guard numbers(language, &state).isComplete else { throw TableError(.noNumberWords) }
            return true
        }
    }

    /// What is said in place of what is written, in ascending order and without overlaps. Nothing if the language has no
    /// tables, or if they cannot be used; `check` says why.
    ///
    /// Linear in the text; the words are at most a few hundred bytes for each token of it.
    ///
    /// - Parameter text: one utterance.
    package func replacements(in text: String) -> [Replacement] {
        let bytes = Array(text.utf8)
        guard WorkScan(words: words()).hasWork(bytes) else { return [] }
        return state.update { state in
            guard case .success(let language?) = load(&state) else { return [] }
            var recogniser = Recogniser(bytes: bytes, language: language, numbers: numbers(language, &state))
            defer { state.work += recogniser.work }
            return recogniser.replacements()
        }
    }

    /// The steps of all texts so far; a measure of work that does not depend on the machine.
    package var work: Int { state.read { $0.work } }

    /// The words for a text that is said to be of a kind.
    ///
    /// - Parameter format: for a date the order of day, month and year: "dmy", "mdy", "ymd".
    /// - Returns: nil if the text cannot be read as that.
    package func words(for text: String, as kind: SpokenKind, format: String? = nil) -> String? {
        state.update { state in
            guard case .success(let language?) = load(&state) else { return nil }
            let reading = AskedReading(language: language, numbers: numbers(language, &state))
            return reading.words(Array(text.utf8), kind, format)
        }
    }

    /// The number that was said, however it was written down, and whatever was said around it; nil if none was, or more than
    /// one, or the language has no tables.
    package func number(heard text: String) -> Double? {
        state.update { state in heardNumbers(&state).flatMap { HeardNumber($0).value(of: text) } }
    }

    private func heardNumbers(_ state: inout State) -> HeardNumberWords? {
        if let words = state.heardNumbers { return words }
        guard case .success(let language?) = load(&state),
            let speller = NumberSpeller(locale: language.settings.locale ?? "")
        else { return nil }
        let numbers = numbers(language, &state)
        let words = HeardNumberWords(language, speller) { text in
            var recogniser = Recogniser(bytes: Array(text.utf8), language: language, numbers: numbers)
            return recogniser.replacements().applied(to: text)
        }
        state.heardNumbers = words
        return words
    }

    private func words() -> PlainWords {
        plainWords.update { known in
            let words = known ?? PlainWords(language, tables: folder)
            known = words
            return words
        }
    }

    private func load(_ state: inout State) -> Result<Language?, any Error> {
        if let tables = state.tables { return tables }
        let tables = Result { try LanguageReader.read(language, tables: folder) }
        state.tables = tables
        return tables
    }

    private func numbers(_ language: Language, _ state: inout State) -> NumberWords {
        if let numbers = state.numbers { return numbers }
        let numbers = NumberWords(language)
        state.numbers = numbers
        return numbers
    }
}
