/// The parts of a language while its tables are read.
final class TableBuilder {
    private(set) var vocabulary = Vocabulary()
    private(set) var listNumbers: [String: Int] = [:]
    private(set) var lists = ListBuilder()
    /// The steps of all patterns.
    private(set) var program: [Step] = []
    /// What the entries of lists say.
    private(set) var entries: [Substring] = []
    private(set) var formNumbers: [String: Int] = [:]
    /// ICU's rule sets, by the numbers of forms.
    private(set) var ruleSets: [String] = []
    private(set) var repairs: [(wrong: String, right: String)] = []
    /// The patterns of conditions, by their texts: many rules have the same.
    var neighbours: [Substring: Pattern] = [:]
    var settings = LanguageSettings()

    func tokens(of bytes: [UInt8]) -> [Token] { Tokenizer.tokens(of: bytes, addingTo: &vocabulary) }

    /// The number of a list, which is made if it is new.
    func list(_ name: String, anyCase: Bool) throws(TableFlaw) -> Int {
        if let known = listNumbers[name] { return known }
        let number = listNumbers.count
        try lists.addList(anyCase: anyCase)
        listNumbers[name] = number
        return number
    }

    /// Adds the steps of a pattern to the program.
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

    func add(_ piece: Substring, _ value: Substring, to list: Int) throws(TableFlaw) {
        try lists.add(tokens(of: Array(piece.utf8)), entry: Int32(clamping: entries.count), to: list)
        entries.append(value)
    }

    func addForm(_ name: String, _ ruleSet: String) {
        guard formNumbers[name] == nil else { return }
        formNumbers[name] = ruleSets.count
        ruleSets.append(ruleSet)
    }

    func addRepair(_ wrong: String, _ right: String) { repairs.append((wrong, right)) }
}
