/// Word lists that combine all languages, because the text's language is often unknown or mixed.
///
/// `Scripts/tables/make-language-words` generates `SentenceTables` from the language folders.
enum Abbreviations {
    enum Kind {
        case title
        case undecided
        case beforeNumber
    }

    // Each set is created on first use, because most short texts need at most one of the sets.
    private static let titles = words(SentenceTables.titles)
    private static let undecided = words(SentenceTables.undecided)
    private static let undecidedEnds = words(SentenceTables.undecidedEnds)
    private static let beforeNumbers = words(SentenceTables.beforeNumbers)
    private static let starters = words(SentenceTables.starters)
    private static let ordinalNouns = words(SentenceTables.ordinalNouns)
    private static let ordinalLeaders = words(SentenceTables.ordinalLeaders)

    private static func words(_ list: String) -> Set<String> { Set(list.split(separator: " ").map(String.init)) }

    /// Returns the type of an abbreviation without its final period, or nil if the word is not an abbreviation.
    static func kind(of word: String) -> Kind? {
        kind(ofWritten: word) ?? kind(ofWritten: word.lowercased())
    }

    private static func kind(ofWritten word: String) -> Kind? {
        if titles.contains(word) { return .title }
        if undecided.contains(word) { return .undecided }
        if beforeNumbers.contains(word) { return .beforeNumber }
        return undecidedEnds.contains { word.hasSuffix($0) && word.count > $0.count } ? .undecided : nil
    }

    /// Whether a lowercase word starts a sentence rather than continuing a name.
    static func startsSentence(_ word: String) -> Bool { starters.contains(word) }

    /// Whether a lowercase word, such as a weekday or a time zone, can follow a time of day.
    static func followsTime(_ word: String) -> Bool { timeWords.contains(word) }

    private static let timeWords: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri",
        "sat", "sun", "eastern", "pacific", "central", "mountain", "gmt", "utc", "est", "edt", "cst", "cdt", "mst",
        "mdt",
        "pst", "pdt", "et", "ct", "pt", "mt", "bst", "cet", "cest", "ist", "january", "february", "march", "april",
        "may",
        "june", "july", "august", "september", "october", "november", "december",
    ]

    /// Whether a lowercase noun makes the number before it an ordinal.
    static func isOrdinalNoun(_ word: String) -> Bool { ordinalNouns.contains(word) }

    /// Whether a lowercase word makes the number after it an ordinal.
    static func leadsOrdinal(_ word: String) -> Bool { ordinalLeaders.contains(word) }
}
