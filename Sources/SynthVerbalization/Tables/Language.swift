/// A language's parsed and compiled tables.
final class Language: Sendable {
    let vocabulary: TokenNumbers
    let lists: WordLists
    /// The steps of all patterns.
    let program: FixedBuffer<Step>
    /// The data needed to try each rule.
    let heads: FixedBuffer<RuleHead>
    /// The values of list entries.
    let entries: [TableText]
    let rules: [Rule]
    let settings: LanguageSettings
    /// The number sources, indexed by form number.
    let numberSources: [NumberSource]
    let formNumbers: [String: Int]
    /// Incorrect words from ICU, with their corrections.
    let repairs: [(wrong: String, right: String)]
    let emoji: EmojiNames
    let decimalMark: UInt32
    private let groupMarks: Set<UInt32>
    private let domainList: Int?
    private let domainWordList: Int?
    private let symbolList: Int?
    private let telephoneList: Int?
    private let minuteList: Int?
    private let fileTypeList: Int?
    let index: RuleIndex

    init(_ tables: TableBuilder, rules: [Rule], emoji: EmojiNames) {
        vocabulary = tables.vocabulary
        lists = WordLists(tables.lists)
        program = FixedBuffer(tables.program)
        let lookahead = PatternLookahead(tables)
        let heads = FixedBuffer(
            rules.map { rule in
                let (second, third) = lookahead.masks(of: rule.pattern, endsAnywhere: rule.endsAnywhere)
                return RuleHead(
                    start: Int32(clamping: rule.pattern.start),
                    second: second, third: third,
                    beginsAnywhere: rule.beginsAnywhere,
                    endsAnywhere: rule.endsAnywhere,
                    isConditional: !rule.before.isEmpty || !rule.after.isEmpty,
                    isFree: rule.before.isEmpty && rule.after.isEmpty && rule.orders.isEmpty)
            })
        self.heads = heads
        entries = tables.entries
        settings = tables.settings
        numberSources = tables.numberSources
        formNumbers = tables.formNumbers
        repairs = tables.repairs
        self.rules = rules
        self.emoji = emoji
        decimalMark = tables.settings.decimalMark ?? LanguageSettings.fullStop
        groupMarks = tables.settings.groupMarks ?? []
        domainList = tables.listNumbers["domain"]
        domainWordList = tables.listNumbers["domain-word"]
        symbolList = tables.listNumbers["symbol"]
        telephoneList = tables.listNumbers["telephone-digit"]
        minuteList = tables.listNumbers["minute"]
        fileTypeList = tables.listNumbers["file-type"]
        index = RuleIndex(rules, heads, tables)
    }

    /// Whether a word is a top-level domain.
    func isDomain(_ token: Token) -> Bool { isWord(token, of: domainList) }

    /// Whether a word is a known file extension.
    func isFileType(_ token: Token) -> Bool { isWord(token, of: fileTypeList) }

    /// Whether a top-level domain is read as a word rather than letter by letter.
    func isDomainWord(_ token: Token) -> Bool { isWord(token, of: domainWordList) }

    private func isWord(_ token: Token, of list: Int?) -> Bool { token.kind == .word && entry(of: list, token) != nil }

    /// Returns the entry for a symbol in an address.
    func symbol(_ token: Token) -> Int? { entry(of: symbolList, token) }

    /// Returns the entry for a digit that is read differently in telephone numbers.
    func telephoneDigit(_ digit: UInt8) -> Int? { entry(of: telephoneList, [digit]) }

    /// Returns the entry for a two-digit number of minutes if the language reads minutes differently from other
    /// numbers.
    func minute(_ digits: [UInt8]) -> Int? { entry(of: minuteList, digits) }

    /// Returns the list entry for a number.
    func entry(of list: Int?, _ digits: [UInt8]) -> Int? {
        list == nil ? nil : Tokenizer.tokens(of: digits, vocabulary).first.flatMap { entry(of: list, $0) }
    }

    private func entry(of list: Int?, _ token: Token) -> Int? {
        list.flatMap { lists.entry(of: $0, token) }.map { Int($0) }
    }

    /// Whether a token separates groups of three digits in numbers, as narrow and non-breaking spaces do in all
    /// languages.
    func isGroupMark(_ token: Token, _ bytes: [UInt8]) -> Bool {
        if token.kind == .mark { return groupMarks.contains(token.exact) }
        guard token.kind == .space else { return false }
        let (value, length) = scalar(in: bytes, at: Int(token.start))
        guard length == token.length else { return false }
        return value == 0xA0 || value == 0x202F || value == 0x2009
            || value == Token.space && groupMarks.contains(Token.space)
    }
}
