/// A rule in a table: a pattern, conditions for a match, and the words that replace the match.
final class Rule: Sendable {
    /// A condition on the text before or after a match.
    struct Neighbour: Sendable {
        let pattern: Pattern
        let isWanted: Bool
    }

    /// A condition that the value of one capture is less than the value of another capture.
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

    init(
        kind: String, onlyIfStated: Bool, beginsAnywhere: Bool, endsAnywhere: Bool, pattern: Pattern,
        before: [Neighbour], after: [Neighbour], orders: [Order], template: Template
    ) {
        self.kind = kind
        self.onlyIfStated = onlyIfStated
        self.beginsAnywhere = beginsAnywhere
        self.endsAnywhere = endsAnywhere
        self.pattern = pattern
        self.before = before
        self.after = after
        self.orders = orders
        self.template = template
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

/// Parses a line such as
///
///     date: {m:@month} {d:1..31} => {m} {d|ordinal} << on  >> , {d4} ?? a<b
///
/// A rule consists of a kind, a pattern, a template and any number of conditions: patterns for the text before and after
/// the match (`<<` and `>>`, negated `<<!` and `>>!`), and comparisons between numbers (`??`). Conditions consume no text.
/// A `!` after the kind marks a rule that applies only if the caller specifies that the text is of this kind. In
/// conditions, spaces, including those at either end, are written as `_`. A `<` before the pattern allows a match to start
/// within a longer word or number, and a `>` after it allows a match to end there.
enum RuleReader {
    static func read(_ line: Substring, _ tables: TableBuilder) throws -> Rule {
        guard let colon = line.utf8.firstIndex(of: 0x3A) else { throw TableError(.missing(":")) }
        guard let arrow = line.range(of: " => ") else { throw TableError(.missing("=>")) }
        guard colon < arrow.lowerBound else { throw TableError(.missing(":")) }
        var kind = String(line[..<colon])
        let onlyIfStated = kind.hasSuffix("!")
        if onlyIfStated { kind.removeLast() }
        var text = line[line.index(after: colon)..<arrow.lowerBound].drop { $0 == " " }
        let beginsAnywhere = text.hasPrefix("<")
        if beginsAnywhere { text.removeFirst() }
        let endsAnywhere = text.hasSuffix(">") && !text.hasSuffix("\\>")
        if endsAnywhere { text.removeLast() }
        let (pattern, names) = try PatternReader.read(text, tables)

        var (said, conditions) = split(line[arrow.upperBound...])
        while said.hasSuffix(" ") { said.removeLast() }
        var before: [Rule.Neighbour] = []
        var after: [Rule.Neighbour] = []
        var orders: [Rule.Order] = []
        for (sign, condition) in conditions {
            switch sign {
            case "<<": before.append(try neighbour(condition, tables))
            case ">>": after.append(try neighbour(condition, tables))
            default: orders.append(try order(condition, names))
            }
        }
        return Rule(
            kind: kind, onlyIfStated: onlyIfStated, beginsAnywhere: beginsAnywhere, endsAnywhere: endsAnywhere,
            pattern: pattern, before: before, after: after, orders: orders,
            template: try TemplateReader.read(said, names: names, tables))
    }

    /// Splits off the template and returns the conditions after it, each with its operator.
    private static func split(_ text: Substring) -> (Substring, [(String, Substring)]) {
        var parts: [(sign: String, start: Substring.Index, content: Substring.Index)] = []
        for (sign, spaced) in [("<<", " <<"), (">>", " >>"), ("??", " ??")] as [(String, StaticString)] {
            var rest = text
            while let found = rest.range(of: spaced) {
                parts.append((sign, found.lowerBound, found.upperBound))
                rest = rest[found.upperBound...]
            }
        }
        parts.sort { $0.start < $1.start }
        let conditions = parts.indices.map { index in
            let end = index + 1 < parts.count ? parts[index + 1].start : text.endIndex
            return (parts[index].sign, text[parts[index].content..<end])
        }
        return (text[..<(parts.first?.start ?? text.endIndex)], conditions)
    }

    private static func neighbour(_ text: Substring, _ tables: TableBuilder) throws -> Rule.Neighbour {
        let isWanted = !text.hasPrefix("!")
        var pattern = isWanted ? text : text.dropFirst()
        while pattern.hasPrefix(" ") { pattern.removeFirst() }
        while pattern.hasSuffix(" ") { pattern.removeLast() }
        if let known = tables.neighbours[pattern] { return Rule.Neighbour(pattern: known, isWanted: isWanted) }
        let (compiled, names) = try PatternReader.read(pattern, tables)
        if let name = names.first { throw TableError(.unknownName(name)) }
        tables.neighbours[pattern] = compiled
        return Rule.Neighbour(pattern: compiled, isWanted: isWanted)
    }

    private static func order(_ text: Substring, _ names: [String]) throws -> Rule.Order {
        let sides = text.split(separator: "<").map { $0.filter { $0 != " " } }
        guard sides.count == 2 else { throw TableError(.missing("<")) }
        guard let lower = names.firstIndex(of: sides[0]) else { throw TableError(.unknownName(sides[0])) }
        guard let upper = names.firstIndex(of: sides[1]) else { throw TableError(.unknownName(sides[1])) }
        return Rule.Order(lower: lower, upper: upper)
    }
}
