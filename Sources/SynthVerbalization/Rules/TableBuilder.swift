/// A language's tables while they are being read.
final class TableBuilder {
    private(set) var vocabulary = TokenNumbers()
    private(set) var listNumbers: [String: Int] = [:]
    private(set) var lists = ListBuilder()
    /// The steps of all patterns.
    private(set) var program: [Step] = []
    /// The values of list entries.
    private(set) var entries: [TableText] = []
    private(set) var formNumbers: [String: Int] = [:]
    /// The number sources, indexed by form number.
    private(set) var numberSources: [NumberSource] = []
    var repairs: [(wrong: String, right: String)] = []
    /// The patterns and elements parsed so far, which many rules share.
    var conditions = ParsedTexts<Pattern>()
    var elements = ParsedTexts<Step>()
    private var genderedForms: [String: NumberForm] = [:]
    var settings = LanguageSettings()

    func tokens(of bytes: [UInt8]) -> [Token] { Tokenizer.tokens(of: bytes, addingTo: &vocabulary) }

    /// Returns the number of a list. Creates the list if it does not exist.
    func list(_ name: String, anyCase: Bool) throws -> Int {
        if let known = listNumbers[name] { return known }
        let number = listNumbers.count
        try lists.addList(anyCase: anyCase)
        listNumbers[name] = number
        return number
    }

    /// Adds a pattern's steps to the program.
    func add(_ steps: [Step]) -> Pattern {
        let start = program.count
        program += steps.map { step in
            switch step {
            case .split(let other): .split(other: other + start)
            case .jump(let target): .jump(target + start)
            default: step
            }
        }
        return Pattern(start: start)
    }

    func add(_ piece: TableText, _ value: TableText, to list: Int) throws {
        try lists.add(tokens(of: Array(piece)), entry: Int32(clamping: entries.count), to: list)
        entries.append(value)
    }

    /// - Parameter source: an ICU rule set, or a list form such as `@list.2`, the third form of a list's entries.
    func addForm(_ name: String, _ source: String) throws {
        guard formNumbers[name] == nil else { return }
        formNumbers[name] = numberSources.count
        guard source.hasPrefix("@") else { return numberSources.append(.ruleSet(source)) }
        let parts = source.dropFirst().split(separator: ".")
        guard parts.count == 2, let form = Int(parts[1]), form >= 0 else { throw TableError(.unknownForm(source)) }
        numberSources.append(.list(try list(String(parts[0]), anyCase: false), form: form))
    }

    /// Returns the form with this name, together with its gender variants.
    func form(_ name: String) throws -> NumberForm {
        if let known = genderedForms[name] { return known }
        var gendered: [GrammaticalGender: Int] = [:]
        for gender in GrammaticalGender.allCases { gendered[gender] = formNumbers["\(name).\(gender.rawValue)"] }
        guard let plain = formNumbers[name] ?? gendered[.masculine] else { throw TableError(.unknownForm(name)) }
        let form = NumberForm(plain: plain, gendered: gendered)
        genderedForms[name] = form
        return form
    }
}

/// The results of parsing, keyed by text.
struct ParsedTexts<Value> {
    private var numbers = TokenNumbers()
    private var values: [Value] = []

    mutating func value(of text: TableText, parse: () throws -> Value) throws -> Value {
        let bytes = Array(text)
        let known = numbers.number(of: bytes, bytes.indices)
        if known != Token.unknown { return values[Int(known - Token.firstWord)] }
        let value = try parse()
        _ = numbers.intern(bytes, bytes.indices)
        values.append(value)
        return value
    }
}

/// The source of a number's words.
enum NumberSource: Sendable {
    /// An ICU rule set.
    case ruleSet(String)
    /// A form of a list's entries, for languages whose numbers ICU does not inflect. The list contains the final
    /// components of numbers.
    case list(Int, form: Int)
}

/// The settings in a language's tables. The first value of a key takes precedence, so a region's table overrides the
/// language's table.
struct LanguageSettings: Sendable {
    /// The ICU locale.
    private(set) var locale: String?
    private(set) var decimalMark: UInt32?
    /// The default decimal separator.
    static let fullStop: UInt32 = 0x2E
    private(set) var groupMarks: Set<UInt32>?
    /// Whether the digits after the decimal separator are read individually.
    private(set) var fractionByDigits: Bool?
    /// ICU's names for the plural categories, in the order of the forms in lists.
    private(set) var plurals: [String]?
    /// The word for the decimal separator.
    private(set) var point: String?
    /// Whether "zero" is omitted before a fraction without an integer part: "point five".
    private(set) var skipsZero: Bool?
    /// Whether the letters of an abbreviation are separated by spaces rather than periods, because an engine puts too
    /// little stress on the letters in "D.V.D".
    private(set) var spacesLetters: Bool?
    /// Whether the script has no spaces between words.
    private(set) var isUnspaced: Bool?

    /// Other words for "minus" that a recognizer may return.
    private(set) var minuses: Set<String>?
    /// Words such as "ein", which means "one" but is an article before other words.
    private(set) var articles: Set<String>?
    /// Words that connect numbers, such as "oder". A word that precedes one of them is never an article.
    private(set) var either: Set<String>?
    /// The word for "half" in mixed numbers, and its other form.
    private(set) var halves: [String]?

    /// All separators that may occur in numbers.
    var numberMarks: Set<UInt32> { (groupMarks ?? []).union([decimalMark ?? Self.fullStop]) }

    /// Parses a setting.
    ///
    /// - Throws: an error if the key is unknown.
    mutating func set(_ key: String, _ value: String) throws {
        let words = value.split(separator: " ").map { String($0) }
        switch key {
        case "locale": locale = locale ?? value
        case "decimal": decimalMark = decimalMark ?? value.unicodeScalars.first?.value
        case "group": groupMarks = groupMarks ?? Set(words.compactMap(Self.mark))
        case "fraction": fractionByDigits = fractionByDigits ?? (value == "digits")
        case "plurals": plurals = plurals ?? words
        case "point": point = point ?? value
        case "zero": skipsZero = skipsZero ?? (value == "none")
        case "letters": spacesLetters = spacesLetters ?? (value == "apart")
        case "spaces": isUnspaced = isUnspaced ?? (value == "none")
        case "minus": minuses = minuses ?? Set(words)
        case "articles": articles = articles ?? Set(words)
        case "either": either = either ?? Set(words)
        case "halves": halves = halves ?? words
        default: throw TableError(.unknownSetting(key))
        }
    }

    private static func mark(_ word: String) -> UInt32? {
        word == "space" ? Token.space : word.unicodeScalars.first?.value
    }
}
