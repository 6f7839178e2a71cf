/// A language's number words for parsing, obtained by verbalizing sample numbers with the tables.
final class SpokenNumberWords {
    let speller: NumberSpeller
    let decimalMark: Character
    let groupMarks: Set<Character>
    /// Whether the script has no spaces between words.
    let isUnspaced: Bool
    /// The word for the decimal separator.
    let point: String?
    /// The words that introduce negative numbers.
    let minuses: Set<String>
    /// Words such as "ein", which means "one" but is an article before other words.
    let articles: Set<String>
    /// Words such as "oder", before which "ein" is not an article.
    let either: Set<String>
    /// Phrases that end a number, such as "and a half", longest first.
    let endings: [(words: String, value: Double)]
    /// Phrases such as "a half" and "anderthalb".
    let phrases: [String: Double]
    /// For languages that read decimals as fractions, the number of decimals for each word: "десятых" = 1, "сотых" = 2.
    let tenths: [String: Int]
    /// For languages that read decimals as fractions, the words after the integer part: "целых".
    let wholes: Set<String>
    /// The values of words such as "million" and "Millionen", which multiply other numbers.
    let scales: [String: Double]
    /// All words that occur in numbers, including words that are not numbers themselves, such as "and".
    private let words: Set<String>
    /// Words that only connect other words, such as "and".
    private let joints: Set<String>
    /// The first letters of all words that occur in numbers.
    private let starts: Set<Substring>
    private static let startLength = 2
    /// The maximum number of cached phrases, which is enough for many common numbers in all their forms.
    private static let cacheLimit = 8000
    private var known: [String: Double?] = [:]
    /// Words such as "hundert", for which the tables contain only "einhundert".
    private let bare: [(words: String, value: Double, whole: String)]
    private let repairs: [(wrong: String, right: String)]

    /// - Parameter said: verbalizes text with the tables.
    init(_ language: Language, _ speller: NumberSpeller, _ said: (String) -> String) {
        self.speller = speller
        let mark = { (value: UInt32) in Unicode.Scalar(value).map(Character.init) }
        decimalMark = mark(language.decimalMark) ?? "."
        // These characters separate groups of digits in every language.
        groupMarks = Set(
            (language.settings.groupMarks ?? []).compactMap(mark) + ["\u{A0}", "\u{202F}", "\u{2009}"])
        isUnspaced = language.settings.isUnspaced == true
        repairs = language.repairs
        point = language.settings.point.map(Self.plain)
        let seven = Self.plain(said("7"))
        let negative = Self.plain(said("-7"))
        let minus = negative.hasSuffix(seven) ? Self.trimmed(negative.dropLast(seven.count)) : nil
        let settings = language.settings
        minuses = (settings.minuses ?? []).union([minus].compactMap(\.self))
        (articles, either) = (settings.articles ?? [], settings.either ?? [])

        var endings: [String: Double] = [:]
        var phrases: [String: Double] = [:]
        for (fraction, value) in Self.fractions {
            phrases[Self.plain(said(fraction))] = value
            for whole in 0...12 { phrases[Self.plain(said("\(whole)\(fraction)"))] = Double(whole) + value }
            // Some languages use different endings after short and long numbers.
            for whole in ["7", "21"] {
                let (mixed, alone) = (Self.plain(said(whole + fraction)), Self.plain(said(whole)))
                guard mixed.hasPrefix(alone), let ending = Self.trimmed(mixed.dropFirst(alone.count)) else { continue }
                endings[ending] = value
                if let halves = settings.halves, halves.count == 2, ending.hasSuffix(" \(halves[0])") {
                    endings[String(ending.dropLast(halves[0].count)) + halves[1]] = value
                }
            }
        }
        // Text that the tables leave unchanged contains no number words.
        self.phrases = phrases.filter { phrase in phrase.key.allSatisfy { !$0.isNumber } }
        self.endings = endings.filter { ending in ending.key.allSatisfy { !$0.isNumber } }
            .sorted { ($1.key.count, $0.key) < ($0.key.count, $1.key) }.map { ($0.key, $0.value) }

        (tenths, wholes) = Self.tenths(decimalMark, point, said)
        var words: Set<String> = Set(tenths.keys).union(wholes)
        var last = Set(tenths.keys)
        var scales: [String: Double] = [:]
        for spelled in Self.spelled(language, speller) {
            let parts = Self.parts(spelled.words)
            words.formUnion(parts)
            last.formUnion(parts.suffix(1))
            known[Self.plain(spelled.words)] = .some(Double(spelled.value))
            if parts.count > 1, let last = parts.last, let scale = Self.scale(of: spelled.value) {
                // "cinco mil millones" alone would suggest too large a value for "millones", so use the smallest one
                // found.
                scales[last] = min(scale, scales[last] ?? .infinity)
            }
        }
        var bare: [(words: String, value: Double, whole: String)] = []
        for (words, value, whole) in Self.bare(language, speller) {
            bare.append((words, value, whole))
            known[words] = known[words] ?? .some(value)
            if value >= 1000 { scales[words] = scales[words] ?? value }
        }
        self.bare = bare
        words.formUnion(bare.map(\.words))
        last.formUnion(bare.map(\.words))
        for phrase in Array(self.phrases.keys) + self.endings.map(\.words) + [point].compactMap(\.self) + minuses {
            words.formUnion(Self.parts(phrase))
            last.formUnion(Self.parts(phrase).suffix(1))
        }
        self.words = words
        joints = words.subtracting(last)
        starts = Set(words.map { $0.prefix(Self.startLength) })
        self.scales = scales
    }

    /// Whether the word occurs in numbers, even if it has no value.
    func knows(_ word: String) -> Bool {
        let parts = Self.parts(word)
        return !parts.isEmpty && parts.allSatisfy(words.contains)
    }

    /// Whether the word only connects number words, in which case it may also be part of the surrounding sentence.
    func isJoint(_ word: String) -> Bool { joints.contains(word.lowercased()) }

    /// Returns the number that ICU parses from the words, or nil if they do not form a number.
    func value(of text: String) -> Double? {
        let plain = Self.plain(text)
        if let value = known[plain] { return value }
        // ICU is slow, and most words do not occur in numbers.
        guard starts.contains(plain.prefix(Self.startLength)) else { return nil }
        let value = parsed(plain)
        if known.count < Self.cacheLimit { known[plain] = .some(value) }
        return value
    }

    private func parsed(_ text: String) -> Double? {
        if let value = speller.value(of: text) { return value }
        for form in bare where text.hasPrefix(form.words) {
            let whole = form.whole + text.dropFirst(form.words.count)
            if let value = speller.value(of: whole) ?? speller.value(of: whole.replacing(" ", with: "")) {
                return value
            }
        }
        var original = text
        for (wrong, right) in repairs {
            original =
                wrong.hasPrefix("*")
                ? original.replacing(String(right.dropFirst()), with: String(wrong.dropFirst()))
                : original.hasPrefix(right) ? wrong + original.dropFirst(right.count) : original
        }
        return original == text ? nil : speller.value(of: original)
    }

    private static let fractions: [(String, Double)] = [
        ("½", 1 / 2), ("¼", 1 / 4), ("¾", 3 / 4), ("⅓", 1 / 3), ("⅔", 2 / 3), ("⅛", 1 / 8), ("⅜", 3 / 8), ("⅝", 5 / 8),
        ("⅞", 7 / 8), ("⅕", 1 / 5), ("⅖", 2 / 5), ("⅗", 3 / 5), ("⅘", 4 / 5), ("⅙", 1 / 6), ("⅚", 5 / 6),
    ]

    private static func tenths(
        _ mark: Character, _ point: String?, _ said: (String) -> String
    ) -> (tenths: [String: Int], wholes: Set<String>) {
        var tenths: [String: Int] = [:]
        var wholes: Set<String> = []
        for (count, zeros) in [(1, ""), (2, "0"), (3, "00")] {
            for whole in ["1", "7"] {
                for digit in ["1", "2", "5"] {
                    let words = parts(said("\(whole)\(mark)\(zeros)\(digit)"))
                    guard words.count == 4, !words.contains(where: { $0 == point }) else { continue }
                    wholes.insert(words[1])
                    tenths[words[3]] = count
                }
            }
        }
        return (tenths, wholes)
    }

    private static let scalePowers: [Int64] = [1000, 1_000_000, 1_000_000_000, 1_000_000_000_000]

    private static func scale(of value: Int64) -> Double? {
        scalePowers.last { value % $0 == 0 && (1..<10).contains(value / $0) }.map { Double($0) }
    }

    /// Returns sample numbers that together contain all number words of the language in all forms.
    private static func spelled(
        _ language: Language, _ speller: NumberSpeller
    ) -> [(value: Int64, words: String)] {
        let rounds = scalePowers.flatMap { power in [1, 2, 3, 5].map { $0 * power } }
        let values = Array(0...101) + stride(from: 200, through: 900, by: 100) + [1101] + rounds
        var spelled: [(Int64, String)] = []
        for (name, form) in language.formNumbers where name.hasPrefix("cardinal") || name == "digit" {
            guard case .ruleSet(let set) = language.numberSources[form] else { continue }
            for value in values { if let words = speller.words(value, ruleSet: set) { spelled.append((value, words)) } }
        }
        return spelled
    }

    /// Returns words such as "hundert" and "tausend" for languages in which they are joined to their multiplier.
    private static func bare(
        _ language: Language, _ speller: NumberSpeller
    ) -> [(words: String, value: Double, whole: String)] {
        let spelled = spelled(language, speller).map { (value: $0.value, words: plain($0.words)) }
        let ones = Set(spelled.filter { $0.value == 1 }.map(\.words))
        return spelled.filter { [100, 1000].contains($0.value) && !$0.words.contains(" ") }.compactMap { whole in
            let rests = ones.filter(whole.words.hasPrefix).map { String(whole.words.dropFirst($0.count)) }
            guard let rest = rests.min(by: { $0.count < $1.count }), rest.count > 2 else { return nil }
            return (rest, Double(whole.value), whole.words)
        }
    }

    /// Converts text to lowercase with plain spaces.
    static func plain(_ text: String) -> String {
        text.lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }

    private static func trimmed(_ text: Substring) -> String? {
        let plain = plain(String(text))
        return plain.isEmpty ? nil : plain
    }

    private static func parts(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && $0 != "'" && $0 != "’" }.map(String.init)
    }
}
