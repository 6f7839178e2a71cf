/// A rule in a table: a pattern, conditions for a match, and the words that replace the match.
final class Rule: Sendable {
    /// A condition on the text before or after a match.
    struct Neighbour: Sendable {
        let pattern: Pattern
        let isWanted: Bool
    }

    /// A condition that one capture's value is less than another's.
    struct Order: Sendable {
        let lower: Int
        let upper: Int
    }

    let kind: String
    /// Whether the rule applies only if the caller specifies that the text is of this kind.
    let onlyIfStated: Bool
    /// Whether a match may start within a longer word or number.
    let beginsAnywhere: Bool
    let endsAnywhere: Bool
    let pattern: Pattern
    let before: [Neighbour]
    let after: [Neighbour]
    let orders: [Order]
    let template: Template

    /// Parses a line such as
    ///
    ///     date: {m:@month} {d:1..31} => {m} {d|ordinal} << on  >> , {d4} ?? a<b
    ///
    /// A rule consists of a kind, a pattern, a template and any number of conditions: patterns for the text before and
    /// after the match (`<<` and `>>`, negated `<<!` and `>>!`), and comparisons between numbers (`??`). Conditions
    /// consume no text. A `!` after the kind marks a rule that applies only if the caller specifies that the text is of
    /// this kind. In conditions, all spaces, including those at either end, are written as `_`. A `<` before the
    /// pattern allows a match to start within a longer word or number, and a `>` after it allows a match to end there.
    init(_ line: TableText, _ tables: TableBuilder) throws {
        guard let colon = line.firstIndex(of: 0x3A) else { throw TableError(.missing(":")) }
        guard let arrow = line.range(of: " => ") else { throw TableError(.missing("=>")) }
        guard colon < arrow.lowerBound else { throw TableError(.missing(":")) }
        var kind = line[..<colon]
        onlyIfStated = kind.last == UInt8(ascii: "!")
        if onlyIfStated { kind.removeLast() }
        self.kind = kind.string
        var text = line[line.index(after: colon)..<arrow.lowerBound].drop { $0 == 0x20 }
        beginsAnywhere = text.first == Self.less
        if beginsAnywhere { text.removeFirst() }
        endsAnywhere = text.last == Self.greater && text.dropLast().last != UInt8(ascii: "\\")
        if endsAnywhere { text.removeLast() }
        let names: [String]
        (pattern, names) = try PatternReader.read(text, tables)

        var (said, conditions) = Self.split(line[arrow.upperBound...])
        while said.last == 0x20 { said.removeLast() }
        var before: [Neighbour] = []
        var after: [Neighbour] = []
        var orders: [Order] = []
        for (sign, condition) in conditions {
            switch sign {
            case Self.less: before.append(try Self.neighbour(condition, tables))
            case Self.greater: after.append(try Self.neighbour(condition, tables))
            default: orders.append(try Self.order(condition, names))
            }
        }
        (self.before, self.after, self.orders) = (before, after, orders)
        template = try TemplateReader.read(said, names: names, tables)
    }

    private static let less = UInt8(ascii: "<")
    private static let greater = UInt8(ascii: ">")

    /// Returns the text before the conditions, and the conditions, each with a character that identifies its operator.
    private static func split(_ text: TableText) -> (TableText, [(UInt8, TableText)]) {
        var starts: [Int] = []
        var index = text.startIndex
        while index < text.endIndex {
            guard text.has(" <<", at: index) || text.has(" >>", at: index) || text.has(" ??", at: index) else {
                index += 1
                continue
            }
            starts.append(index)
            index += 3
        }
        let conditions = starts.indices.map { number in
            let end = number + 1 < starts.count ? starts[number + 1] : text.endIndex
            return (text[starts[number] + 1], text[starts[number] + 3..<end])
        }
        return (text[..<(starts.first ?? text.endIndex)], conditions)
    }

    private static func neighbour(_ text: TableText, _ tables: TableBuilder) throws -> Neighbour {
        let isWanted = text.first != UInt8(ascii: "!")
        let condition = (isWanted ? text : text.dropFirst()).trimmed()
        let pattern = try tables.conditions.value(of: condition) {
            let (pattern, names) = try PatternReader.read(condition, tables)
            if let name = names.first { throw TableError(.unknownName(name)) }
            return pattern
        }
        return Neighbour(pattern: pattern, isWanted: isWanted)
    }

    private static func order(_ text: TableText, _ names: [String]) throws -> Order {
        let sides = text.split(separator: less).map { $0.trimmed().string }
        guard sides.count == 2 else { throw TableError(.missing("<")) }
        guard let lower = names.firstIndex(of: sides[0]) else { throw TableError(.unknownName(sides[0])) }
        guard let upper = names.firstIndex(of: sides[1]) else { throw TableError(.unknownName(sides[1])) }
        return Order(lower: lower, upper: upper)
    }
}

/// The part of a rule that is checked at each token.
struct RuleHead: BitwiseCopyable, Sendable {
    let start: Int32
    /// The possible second tokens.
    let second: TokenMask
    /// The possible third tokens.
    let third: TokenMask
    let beginsAnywhere: Bool
    let endsAnywhere: Bool
    /// Whether the rule has conditions on the text around a match.
    let isConditional: Bool
    /// Whether the rule has no conditions at all.
    let isFree: Bool
}
