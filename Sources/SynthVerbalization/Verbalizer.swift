import SynthSystem

/// Replaces numbers, dates, amounts of money, abbreviations, addresses and similar text with words.
///
/// Text that the language's tables do not recognize is left unchanged. The tables are loaded on first use, and ICU is
/// opened when the first number is spelled out. A verbalizer processes one text at a time; other threads wait for it.
package final class Verbalizer: Sendable {
    private struct State {
        var tables: Result<Language?, any Error>?
        var numbers: NumberWords?
        var heardNumbers: SpokenNumberWords?
        var work = 0
    }

    /// The BCP 47 tag.
    package let language: String
    private let folder: String
    private let state = Monitor(State())
    private let plainWords = Monitor<PlainWords?>(nil)

    /// Creates a verbalizer without loading the tables.
    ///
    /// - Parameters:
    ///   - language: a BCP 47 tag, such as `en` or `en-GB`.
    ///   - tables: the folder that contains the language folders.
    package init(language: String, tables: String) {
        self.language = language
        folder = tables
    }

    /// Loads the tables and ICU.
    ///
    /// - Returns: whether there are tables for the language.
    package func check() throws -> Bool {
        try state.update { state in
            guard let language = try load(&state).get() else { return false }
            guard numbers(language, &state).isComplete else { throw TableError(.noNumberWords) }
            return true
        }
    }

    /// Returns the replacements for the text, sorted by position and without overlaps. Empty if the language has no
    /// tables or its tables cannot be used. In the second case, `check` throws an error with the reason.
    ///
    /// Runs in linear time. The size of the replacements is limited to a few hundred bytes per token of the text.
    ///
    /// - Parameter text: the text of one utterance.
    package func replacements(in text: String) -> [Replacement] {
        let bytes = Array(text.utf8)
        guard WorkScan(words: words()).hasWork(bytes) else { return [] }
        return state.update { state in
            guard case .success(let language?) = load(&state) else { return [] }
            var normalizer = TextNormalizer(bytes: bytes, language: language, numbers: numbers(language, &state))
            defer { state.work += normalizer.work }
            return normalizer.replacements()
        }
    }

    /// The total number of steps for all texts so far, a machine-independent measure of work.
    package var work: Int { state.read { $0.work } }

    /// Returns the spoken words for text of the given kind.
    ///
    /// - Parameter format: for a date, the order of day, month and year: "dmy", "mdy", "ymd".
    /// - Returns: nil if the text cannot be read as this kind.
    package func words(for text: String, as kind: SpokenKind, format: String? = nil) -> String? {
        state.update { state in
            guard case .success(let language?) = load(&state) else { return nil }
            let reading = StatedReading(language: language, numbers: numbers(language, &state))
            return reading.words(Array(text.utf8), kind, format)
        }
    }

    /// Parses the number in a recognizer's text, in digits or words. Ignores other words. Returns nil if there is no
    /// number or more than one, or if the language has no tables.
    package func number(heard text: String) -> Double? {
        state.update { state in heardNumbers(&state).flatMap { SpokenNumber($0).value(of: text) } }
    }

    private func heardNumbers(_ state: inout State) -> SpokenNumberWords? {
        if let words = state.heardNumbers { return words }
        guard case .success(let language?) = load(&state),
            let speller = NumberSpeller(locale: language.settings.locale ?? "")
        else { return nil }
        let numbers = numbers(language, &state)
        let words = SpokenNumberWords(language, speller) { text in
            var normalizer = TextNormalizer(bytes: Array(text.utf8), language: language, numbers: numbers)
            return normalizer.replacements().applied(to: text)
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
