/// The words of all languages: the language of a text is often unknown or mixed.
///
/// A language is added by a table of its own in a folder beside this file, and its name here.
enum Abbreviations {
    enum Kind {
        case title
        case undecided
        case beforeNumber
    }

    private static let languages: [SentenceWords] = [
        .english, .german, .french, .spanish, .italian, .portuguese, .dutch, .scandinavian, .polish, .czech, .russian,
        .greek, .turkish, .hindi, .arabic, .ukrainian, .vietnamese,
    ]

    // Each is read when it is first needed: a short text mostly needs one or none.
    private static let titles = words { $0.titles }
    private static let undecided = words { $0.undecided }
    private static let undecidedEnds = words { $0.undecidedEnds }
    private static let beforeNumbers = words { $0.beforeNumbers }
    private static let starters = words { $0.starters }
    private static let ordinalNouns = words { $0.ordinalNouns }
    private static let ordinalLeaders = words { $0.ordinalLeaders }

    private static func words(_ list: (SentenceWords) -> String) -> Set<String> {
        var words: Set<String> = []
        for language in languages {
            for word in list(language).split(separator: " ") { words.insert(String(word)) }
        }
        return words
    }

    /// What a word, without its full stop, abbreviates; nil if it is an ordinary word.
    static func kind(of word: String) -> Kind? {
        kind(ofWritten: word) ?? kind(ofWritten: word.lowercased())
    }

    private static func kind(ofWritten word: String) -> Kind? {
        if titles.contains(word) { return .title }
        if undecided.contains(word) { return .undecided }
        if beforeNumbers.contains(word) { return .beforeNumber }
        return undecidedEnds.contains { word.hasSuffix($0) && word.count > $0.count } ? .undecided : nil
    }

    /// Whether a word in lower case starts a sentence rather than continues a name.
    static func startsSentence(_ word: String) -> Bool { starters.contains(word) }

    /// Whether a noun in lower case makes an ordinal of the number before it.
    static func isOrdinalNoun(_ word: String) -> Bool { ordinalNouns.contains(word) }

    /// Whether a word in lower case makes an ordinal of the number after it.
    static func leadsOrdinal(_ word: String) -> Bool { ordinalLeaders.contains(word) }
}
