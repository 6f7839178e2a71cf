/// What a language is written in, and which language letters are when nothing says it.
enum WrittenLanguage {
    /// Each line: a writing system, and the languages that are written in it (ISO 639). Every other language is Latin.
    private static let languages: [(WritingSystem, String)] = [
        (.greek, "el grc"),
        (.cyrillic, "ru uk be bg mk sr kk ky mn tg tt ba cv os ab av ce kv udm sah tyv myv"),
        (.armenian, "hy hyw"), (.georgian, "ka xmf"), (.hebrew, "he iw yi ji ydd"),
        (.arabic, "ar arb arz ary apc fa pes prs ur ug ps pbu sd ckb ks pnb"),
        (.devanagari, "hi mr ne npi sa kok knn gom bho mai doi"), (.bengali, "bn as bpy"), (.gurmukhi, "pa"),
        (.gujarati, "gu"), (.oriya, "or ory"), (.tamil, "ta"), (.telugu, "te"), (.kannada, "kn"), (.malayalam, "ml"),
        (.sinhala, "si"), (.thai, "th"), (.lao, "lo"), (.burmese, "my shn"), (.khmer, "km"),
        (.ethiopic, "am ti"), (.hangul, "ko"), (.han, "zh cmn yue hak nan wuu"), (.kana, "ja"),
    ]

    private static let systems = languages.reduce(into: [String: WritingSystem]()) { table, line in
        for language in line.1.split(separator: " ") { table[String(language)] = line.0 }
    }

    /// Letters that one of several languages has alone, after the language that is meant without them.
    private static let tellTales: [WritingSystem: (usual: String, others: [(language: String, letters: String)])] = [
        .cyrillic: (
            "ru", [("uk", "іїєґ"), ("be", "ў"), ("mk", "ѓќѕ"), ("sr", "ђјљњћџ"), ("kk", "әғқңұһ"), ("mn", "өү")]
        ),
        .arabic: ("ar", [("ur", "ٹڈڑںے"), ("fa", "پچژگکی")]),
        .hebrew: ("he", []), .devanagari: ("hi", []), .bengali: ("bn", []), .gurmukhi: ("pa", []),
        .gujarati: ("gu", []), .oriya: ("or", []), .tamil: ("ta", []), .telugu: ("te", []), .kannada: ("kn", []),
        .malayalam: ("ml", []), .sinhala: ("si", []), .thai: ("th", []), .lao: ("lo", []), .burmese: ("my", []),
        .khmer: ("km", []), .ethiopic: ("am", []), .hangul: ("ko", []), .han: ("zh", []), .kana: ("ja", []),
        .greek: ("el", []), .armenian: ("hy", []), .georgian: ("ka", []), .latin: ("en", []),
    ]

    /// Voices that spell a Latin word letter by letter, or read it as if it were a transcription.
    private static let readingNoLatin: Set<String> = ["zh", "cmn", "yue", "hak", "nan", "wuu", "ja", "he", "iw"]

    /// - Parameter tag: BCP-47.
    static func system(of tag: String) -> WritingSystem { systems[primary(tag)] ?? .latin }

    /// Whether voices of a language read letters of a system as words.
    ///
    /// - Parameter tag: BCP-47.
    static func reads(_ system: WritingSystem, in tag: String) -> Bool {
        let own = self.system(of: tag)
        // Chinese characters in Japanese and in Korean are no Chinese.
        return system == own || system == .han && (own == .kana || own == .hangul)
    }

    static func readsLatinWords(in tag: String) -> Bool { !readingNoLatin.contains(primary(tag)) }

    /// The language that letters of a system most probably are.
    ///
    /// - Parameter letters: in lower case, as far as the system has it.
    static func likely(_ system: WritingSystem, letters: some Sequence<Unicode.Scalar>) -> String {
        guard let entry = tellTales[system] else { return "en" }
        if entry.others.isEmpty { return entry.usual }
        let letters = Set(letters)
        let found = entry.others.first { other in other.letters.unicodeScalars.contains(where: letters.contains) }
        return found?.language ?? entry.usual
    }

    private static func primary(_ tag: String) -> String {
        String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
    }
}
