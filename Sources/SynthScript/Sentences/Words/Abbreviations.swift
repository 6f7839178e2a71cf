/// Word lists that combine all languages, because the text's language is often unknown or mixed.
///
/// `Scripts/tables/make-language-words` generates `SentenceTables` from the language folders.
enum Abbreviations {
    enum Kind {
        case title
        case undecided
        case beforeNumber
    }

    // Each set is created on first use, because most short texts need at most one of them.
    private static let titles = words(SentenceTables.titles)
    private static let undecided = words(SentenceTables.undecided)
    private static let undecidedEnds = words(SentenceTables.undecidedEnds)
    private static let beforeNumbers = words(SentenceTables.beforeNumbers)
    /// Lowercase words that start a sentence rather than continuing a name.
    static let starters = words(SentenceTables.starters)
    /// Lowercase nouns that turn the number before them into an ordinal.
    static let ordinalNouns = words(SentenceTables.ordinalNouns)
    /// Lowercase words that turn the number after them into an ordinal.
    static let ordinalLeaders = words(SentenceTables.ordinalLeaders)

    private static func words(_ list: String) -> Set<String> { Set(list.split(separator: " ").map(String.init)) }

    /// Returns the type of an abbreviation, which is passed without its final period, or nil if the word is not an
    /// abbreviation.
    static func kind(of word: String) -> Kind? {
        kind(ofWritten: word) ?? kind(ofWritten: word.lowercased())
    }

    private static func kind(ofWritten word: String) -> Kind? {
        if titles.contains(word) { return .title }
        if undecided.contains(word) { return .undecided }
        if beforeNumbers.contains(word) { return .beforeNumber }
        return undecidedEnds.contains { word.hasSuffix($0) && word.count > $0.count } ? .undecided : nil
    }

    /// Lowercase words, such as weekdays and time zones, that can follow a time of day.
    static let timeWords: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri",
        "sat", "sun", "eastern", "pacific", "central", "mountain", "gmt", "utc", "est", "edt", "cst", "cdt", "mst",
        "mdt",
        "pst", "pdt", "et", "ct", "pt", "mt", "bst", "cet", "cest", "ist", "january", "february", "march", "april",
        "may",
        "june", "july", "august", "september", "october", "november", "december",
    ]
}
