/// The name beside a verb of speaking: "said Maria", "Maria asked", "sagte Frau Klein".
enum SpeakerName {
    /// After a quotation. Only what belongs to its sentence counts.
    static func after(_ text: String) -> String? {
        let words = sentence(words(text.prefix(longest)), fromEnd: false)
        guard let verb = words.prefix(6).firstIndex(where: isVerb) else { return nil }
        return name(words[(verb + 1)...], isFirst: false) ?? subject(words[..<verb])
    }

    /// Before a quotation: "Maria said: ", and "Maria turned and said, ".
    static func before(_ text: String) -> String? {
        guard let last = text.last(where: { !$0.isWhitespace }), ":,—–".contains(last) else { return nil }
        let words = sentence(words(text.suffix(longest)), fromEnd: true)
        guard let verb = words.lastIndex(where: isVerb) else { return nil }
        return subject(words[..<verb]) ?? name(words[(verb + 1)...], isFirst: false)
    }

    /// In characters.
    private static let longest = 160

    private struct Word {
        let text: Substring
        /// Whether a sentence ends with it.
        let isLast: Bool
    }

    private static func words(_ text: some StringProtocol) -> [Word] {
        text.split { $0.isWhitespace || "—–―".contains($0) }.map { raw in
            let word = Substring(raw).trimmingMarks
            let ends = raw.last.map { ".!?".contains($0) } ?? false
            return Word(text: word, isLast: ends && !titles.contains(word.lowercased()))
        }.filter { !$0.text.isEmpty }
    }

    private static func sentence(_ words: [Word], fromEnd: Bool) -> ArraySlice<Word> {
        if fromEnd { return words[(words.lastIndex(where: \.isLast).map { $0 + 1 } ?? 0)...] }
        return words[...(words.firstIndex(where: \.isLast) ?? words.count - 1)]
    }

    private static func isVerb(_ word: Word) -> Bool {
        let text = word.text.lowercased()
        // "dit-il", "disse-lhe"
        return verbs.contains(text) || verbs.contains(String(text.prefix { $0 != "-" }))
    }

    /// The name that the words begin with.
    ///
    /// - Parameter isFirst: a capital may be that of a sentence.
    private static func name(_ words: ArraySlice<Word>, isFirst: Bool) -> String? {
        var name: [Substring] = []
        for word in words.prefix(4) {
            guard let first = word.text.first, first.isUppercase, !others.contains(word.text.lowercased()) else {
                break
            }
            name.append(word.text)
            if word.isLast { break }
        }
        guard let last = name.last, !titles.contains(last.lowercased()), name.count > 1 || last.count > 1 else {
            return nil
        }
        return name.joined(separator: " ").withoutGenitive
    }

    /// The name that stands before the verb, or begins the sentence if only small words are between.
    private static func subject(_ words: ArraySlice<Word>) -> String? {
        guard let start = words.firstIndex(where: { $0.text.first?.isUppercase ?? false }) else { return nil }
        let rest = words[start...]
        guard let name = name(rest, isFirst: true) else { return nil }
        let between = rest.dropFirst(name.split(separator: " ").count)
        return between.allSatisfy { $0.text.first?.isLowercase ?? false } && between.count <= 5 ? name : nil
    }

    private static let titles: Set = [
        "mr", "mrs", "ms", "dr", "st", "m", "mme", "mlle", "sr", "sra", "sig", "prof", "frau", "herr", "fräulein",
        "don",
        "doña", "lord", "lady", "sir", "miss", "captain", "uncle", "aunt", "pan", "pani",
    ]

    /// Words with a capital that are no names.
    private static let others: Set = [
        "i", "he", "she", "it", "we", "you", "they", "the", "a", "an", "and", "but", "then", "when", "as", "so", "this",
        "that", "who", "his", "her", "my", "their", "there", "now", "at", "in", "on", "with", "after", "before", "what",
        "if", "for", "er", "sie", "es", "ich", "wir", "ihr", "du", "der", "die", "das", "ein", "eine", "dann", "da",
        "und", "aber", "als", "il", "elle", "ils", "elles", "je", "nous", "vous", "tu", "on", "le", "la", "les", "un",
        "une", "puis", "et", "mais", "él", "ella", "ellos", "yo", "el", "los", "las", "una", "y", "pero", "entonces",
        "lui", "lei", "loro", "io", "lo", "gli", "e", "ma", "poi", "ele", "ela", "eles", "eu", "o", "os", "as", "um",
        "uma", "mas", "ona", "oni", "ja", "ten", "ta", "to", "a", "i", "он", "она", "они", "я", "мы", "вы", "и", "но",
        "а", "hij", "zij", "ze", "ik", "wij", "het", "de", "een", "en", "maar", "toen",
    ]

    /// Forms of verbs of speaking, as stories are told in.
    private static let verbs: Set = [
        "said", "says", "asked", "asks", "replied", "answered", "cried", "whispered", "shouted", "muttered", "called",
        "exclaimed", "added", "continued", "murmured", "remarked", "returned", "began", "repeated", "observed",
        "yelled",
        "screamed", "sighed", "laughed", "told", "demanded", "agreed", "snapped", "growled", "inquired", "declared",
        "sagte", "sagt", "fragte", "fragt", "antwortete", "rief", "flüsterte", "schrie", "murmelte", "meinte",
        "erwiderte", "entgegnete", "erklärte", "sprach", "dachte", "seufzte", "lachte",
        "dit", "demanda", "répondit", "cria", "murmura", "répliqua", "ajouta", "reprit", "fit", "chuchota", "déclara",
        "dijo", "preguntó", "respondió", "contestó", "gritó", "susurró", "murmuró", "añadió", "exclamó", "replicó",
        "disse", "chiese", "rispose", "gridò", "mormorò", "esclamò", "aggiunse", "replicò", "domandò",
        "perguntou", "respondeu", "gritou", "murmurou", "exclamou", "acrescentou", "sussurrou",
        "powiedział", "powiedziała", "zapytał", "zapytała", "spytał", "spytała", "odpowiedział", "odpowiedziała",
        "odparł", "odparła", "rzekł", "rzekła", "krzyknął", "krzyknęła", "szepnął", "szepnęła", "dodał", "dodała",
        "сказал", "сказала", "спросил", "спросила", "ответил", "ответила", "крикнул", "крикнула", "прошептал",
        "прошептала", "воскликнул", "воскликнула", "добавил", "добавила",
        "zei", "vroeg", "antwoordde", "riep", "fluisterde", "mompelde",
    ]
}

extension Substring {
    fileprivate var trimmingMarks: Substring {
        let kept = drop { !$0.isLetter && !$0.isNumber }
        guard let last = kept.lastIndex(where: { $0.isLetter || $0.isNumber }) else { return "" }
        return kept[...last]
    }
}

extension String {
    /// "Maria's" is somebody else's.
    fileprivate var withoutGenitive: String? { hasSuffix("'s") || hasSuffix("’s") ? nil : self }
}
