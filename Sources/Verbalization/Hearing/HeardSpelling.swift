/// What people say of numbers in a language, and its tables do not.
struct HeardSpelling {
    /// What stands before a number below zero.
    var minuses: Set<String> = []
    /// Words for one that say nothing before other words.
    var articles: Set<String> = []
    /// "or": it joins numbers, so that no article is before it.
    var either: Set<String> = []
    /// Other forms of a half.
    var variants: [String: String] = [:]

    /// By the code of the language.
    static let all: [String: HeardSpelling] = [
        "en": HeardSpelling(minuses: ["negative"]),
        "de": HeardSpelling(articles: ["ein", "eine", "einen", "einem", "einer", "eines"], either: ["oder", "bis"]),
        "fr": HeardSpelling(articles: ["un", "une"], either: ["ou", "à"], variants: ["demi": "demie"]),
        "es": HeardSpelling(articles: ["un", "una"], either: ["o", "a"], variants: ["medio": "media"]),
        "it": HeardSpelling(articles: ["un", "una"], either: ["o", "a"], variants: ["mezzo": "mezza"]),
        "pt": HeardSpelling(articles: ["um", "uma"], either: ["ou", "a"], variants: ["meio": "meia"]),
        "nl": HeardSpelling(minuses: ["minus"], articles: ["een"], either: ["of", "tot"]),
    ]
}
