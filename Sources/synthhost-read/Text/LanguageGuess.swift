import SynthDocuments
import SynthSystem

/// Determines the language of a document: the declared language or, if the declaration is missing or clearly incorrect,
/// a guess based on letters and common words.
enum LanguageGuess {
    /// - Parameter declared: the declared language: a BCP 47 tag, a name or a three-letter code.
    /// - Returns: a BCP 47 tag, or nil if the language is unknown.
    static func language(declared: String?, _ chapters: [Document.Chapter]) -> String? {
        let declared = declared.flatMap(tag)
        let sample = sample(of: chapters)
        guard let found = guess(sample, declared: declared) else { return declared }
        return declared.map(LanguageTag.primary) == found ? declared : found
    }

    // MARK: - Declared languages

    private static let names: [String: String] = [
        "eng": "en", "english": "en", "deu": "de", "ger": "de", "german": "de", "deutsch": "de", "fra": "fr",
        "fre": "fr",
        "french": "fr", "français": "fr", "francais": "fr", "spa": "es", "spanish": "es", "español": "es",
        "espanol": "es",
        "castellano": "es", "ita": "it", "italian": "it", "italiano": "it", "por": "pt", "portuguese": "pt",
        "português": "pt", "nld": "nl", "dut": "nl", "dutch": "nl", "nederlands": "nl", "pol": "pl", "polish": "pl",
        "polski": "pl", "rus": "ru", "russian": "ru", "русский": "ru", "jpn": "ja", "japanese": "ja", "日本語": "ja",
        "jp": "ja", "zho": "zh", "chi": "zh", "cmn": "zh", "chinese": "zh", "中文": "zh", "cn": "zh", "kor": "ko",
        "korean": "ko",
        "ukr": "uk", "ces": "cs", "cze": "cs", "swe": "sv", "dan": "da", "nor": "nb", "no": "nb", "fin": "fi",
        "hun": "hu",
        "tur": "tr", "ell": "el", "gre": "el", "heb": "he", "iw": "he", "ara": "ar", "hin": "hi", "ron": "ro",
        "rum": "ro",
        "lat": "la", "cat": "ca", "vie": "vi", "gsw": "de", "uk-ua": "uk",
    ]
    private static let unknown: Set = ["und", "mul", "zxx", "mis", "xx", "unknown", "undefined", "none", "null", "x"]

    /// Returns nil if the text is not a language name or code.
    private static func tag(_ text: String) -> String? {
        let text = text.trimmed(\.isWhitespace).replacing("_", with: "-")
        if let known = names[text.lowercased()] { return known }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count), !unknown.contains(first.lowercased()),
            parts.allSatisfy({
                !$0.isEmpty && $0.count <= 8 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            })
        else { return nil }
        guard let known = names[first.lowercased()] else { return text }
        return ([known] + parts.dropFirst().map(String.init)).joined(separator: "-")
    }

    // MARK: - Guesses

    /// The approximate maximum number of bytes to examine.
    private static let longest = 60_000

    private static func sample(of chapters: [Document.Chapter]) -> String {
        var text = ""
        for chapter in chapters {
            for block in chapter.blocks where block.matter == nil && block.language == nil && block.kind != .code {
                text += block.text.lowercased() + "\n"
                if text.utf8.count > longest { return text }
            }
        }
        return text
    }

    /// Character ranges, each with the most common language of the script.
    private static let scripts: [(range: ClosedRange<UInt32>, language: String)] = [
        (0x370...0x3FF, "el"), (0x400...0x52F, "ru"), (0x531...0x58F, "hy"), (0x590...0x5FF, "he"),
        (0x600...0x6FF, "ar"),
        (0x900...0x97F, "hi"), (0x980...0x9FF, "bn"), (0xB80...0xBFF, "ta"), (0xC00...0xC7F, "te"),
        (0xE00...0xE7F, "th"),
        (0x10A0...0x10FF, "ka"), (0x3040...0x30FF, "ja"), (0xAC00...0xD7AF, "ko"), (0x4E00...0x9FFF, "zh"),
    ]
    /// The languages that use the same script, keyed by the language in `scripts`.
    private static let families: [String: Set<String>] = [
        "ru": ["ru", "uk", "be", "bg", "sr", "mk", "kk", "mn", "ky", "tg"],
        "ar": ["ar", "fa", "ur", "ps", "ckb", "ug", "sd"],
        "hi": ["hi", "mr", "ne", "sa"], "he": ["he", "yi"], "zh": ["zh", "yue", "nan", "wuu", "hak"],
        "el": ["el", "grc"], "bn": ["bn", "as"],
    ]

    private static func guess(_ text: String, declared: String?) -> String? {
        var counts: [String: Int] = [:]
        var letters = 0
        for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
            letters += 1
            if scalar.value < 0x370 { continue }
            if let script = scripts.first(where: { $0.range.contains(scalar.value) }) {
                counts[script.language, default: 0] += 1
            }
        }
        guard letters >= 8 else { return nil }
        if let kana = counts["ja"], 20 * kana > letters { return "ja" }
        // Headings in Japanese may contain hardly any kana, and Korean text may contain Chinese characters.
        if let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), 2 * most.value > letters {
            let own = declared.map(LanguageTag.primary) ?? ""
            let family = families[most.key] ?? [most.key]
            if family.contains(own) || most.key == "zh" && (own == "ja" || own == "ko") { return own }
            return most.key == "ru" ? cyrillic(text) : most.key == "ar" ? arabic(text) : most.key
        }
        return latin(text, declared: declared.map(LanguageTag.primary))
    }

    private static func cyrillic(_ text: String) -> String {
        let found = Set(text)
        if !found.isDisjoint(with: "іїєґ") { return found.contains("ў") ? "be" : "uk" }
        if !found.isDisjoint(with: "ђћџ") { return "sr" }
        return found.isDisjoint(with: "ыэё") && found.contains("ъ") ? "bg" : "ru"
    }

    private static func arabic(_ text: String) -> String {
        let found = Set(text)
        if !found.isDisjoint(with: "ٹڈڑے") { return "ur" }
        return found.isDisjoint(with: "پچژگ") ? "ar" : "fa"
    }

    /// Words that are common in one of the languages and rare in the others.
    private static let common: [(language: String, words: Set<String>)] = [
        (
            "en",
            "the and of to was that he his with she her had it you for not they from have were this but which would there"
        ),
        (
            "de",
            "der die und das nicht ist ich ein eine sie er mit den von zu auf war dem sich es auch wie im wir dass noch"
        ),
        (
            "fr",
            "le la les des et est une il elle dans que qui pas vous je ne pour sur avec ce était mais nous plus au lui"
        ),
        ("es", "el la los las de que y en un una no se con por para su es era como más pero le había lo del muy"),
        ("it", "il la di che e non un una per è si con lo gli della sono era come più ma le del nel anche questo"),
        ("pt", "o a de que e não um uma os as com para por se do da em ele ela mas era como mais foi seu sua no na"),
        ("nl", "de het een en van ik niet is dat zijn hij die te in was met op ze aan er voor maar ook had hem naar"),
        ("pl", "i w nie na się z że to jest do jak ale po co tak za od był była jego przez już czy tylko o"),
        ("cs", "a se v na je že to s z do jsem jako ale po si by byl tak jeho když co nebo už pro jen"),
        ("sv", "och att det i som en på är av för med inte den till han hon jag var ett om men så sig hade"),
        ("da", "og at det i en på er af for med ikke den til han hun jeg var et om men så sig havde de"),
        ("fi", "ja on ei että oli se hän mutta niin kun kuin joka ovat myös minä ole hänen sitten nyt"),
        ("hu", "a az és hogy nem is volt egy ez de ha csak már meg mint még azt el mert vagy"),
        ("tr", "ve bir bu da de için ile çok ne ama gibi var daha o olan sonra kadar ben diye değil"),
        ("ro", "și în de la nu a pe o cu că un mai din este au să ca se fi dar era pentru lui"),
        ("ca", "el la els les de que i en un una no es amb per al és era com més però seu van"),
        ("la", "et in est non ad cum ut quod ex qui sed si ab per esse aut atque quae enim"),
    ].map { ($0.0, Set($0.1.split(separator: " ").map(String.init))) }

    /// The minimum number of words for a guess, and the minimum for overriding the declared language.
    private static let (fewest, enough) = (12, 150)

    private static func latin(_ text: String, declared: String?) -> String? {
        var counts: [String: Int] = [:]
        var total = 0
        for word in text.split(whereSeparator: { !$0.isLetter }).prefix(10_000) {
            total += 1
            let own = String(word)
            for (language, words) in common where words.contains(own) { counts[language, default: 0] += 1 }
        }
        let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let best = ranked.first, total >= fewest, 10 * best.value >= total else { return declared }
        guard let declared else {
            // If two languages match the same number of words, they cannot be distinguished.
            let second = ranked.count > 1 ? ranked[1].value : 0
            return best.value > second ? best.key : nil
        }
        if best.key == declared || total < enough { return declared }
        // If there is no word list for the declared language, trust the declaration unless the text is clearly English,
        // because a related language may share words.
        let own = counts[declared] ?? 0
        let isKnown = common.contains { $0.language == declared }
        let isWrong =
            isKnown
            ? best.value > 3 * own && 5 * best.value >= total
            : best.key == "en" && 4 * best.value >= total && 50 * own < total
        return isWrong ? best.key : declared
    }
}
