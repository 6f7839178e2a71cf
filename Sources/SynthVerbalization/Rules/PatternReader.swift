/// Parses a pattern from a table:
///
/// * words, digits and symbols match themselves; a lowercase word is case-insensitive
/// * a space matches white space, `_` matches white space or nothing
/// * `(a|b)` matches either alternative, `x?` matches x or nothing, `\` escapes a character
/// * `{name:element}` captures the element's match under a name for the template; `{element}` does not capture. Elements
///   are `@list` (an entry of a list), `1..31` (digits with a value in this range), `d2` or `d1-4` (this number of digits),
///   `digits`, `int`, `number`, `decimal`, `*ly` (a longer word with this ending), and the word shapes and special matches
///   (`WordShape`, `SpecialShape`)
/// * `^` matches the beginning of the text, and `$` its end
struct PatternReader {
    static let nameLimit = 8
    private static let depthLimit = 16

    private let text: [Unicode.Scalar]
    private var offset = 0
    private var steps: [Step] = []
    private(set) var names: [String] = []
    private let tables: TableBuilder

    static func read(
        _ text: some StringProtocol, _ tables: TableBuilder
    ) throws -> (pattern: Pattern, names: [String]) {
        var reader = PatternReader(text: Array(text.unicodeScalars), tables: tables)
        try reader.alternatives(depth: 0)
        guard reader.offset == reader.text.count else { throw TableError(.unbalanced) }
        reader.steps.append(.end)
        return (tables.add(reader.steps), reader.names)
    }

    private init(text: [Unicode.Scalar], tables: TableBuilder) {
        self.text = text
        self.tables = tables
    }

    private mutating func alternatives(depth: Int) throws {
        guard depth < Self.depthLimit else { throw TableError(.tooMuch) }
        var jumps: [Int] = []
        var branch = steps.count
        while true {
            try sequence(depth: depth)
            guard offset < text.count, text[offset] == "|" else { break }
            offset += 1
            // Insert a split before the last branch, and a jump to the end after it.
            insertSplit(at: branch)
            jumps.append(steps.count)
            steps.append(.jump(0))
            steps[branch] = .split(other: steps.count)
            branch = steps.count
        }
        for jump in jumps { steps[jump] = .jump(steps.count) }
    }

    /// Inserts a split before the steps that begin at `start`, and adjusts jump targets.
    private mutating func insertSplit(at start: Int) {
        for index in start..<steps.count {
            switch steps[index] {
            case .split(let other): steps[index] = .split(other: other + 1)
            case .jump(let target): steps[index] = .jump(target + 1)
            default: break
            }
        }
        steps.insert(.split(other: 0), at: start)
    }

    private mutating func sequence(depth: Int) throws {
        while offset < text.count, text[offset] != "|", text[offset] != ")" {
            let start = steps.count
            switch text[offset] {
            case "{":
                try element()
                try optional(from: start)
            case "(":
                offset += 1
                try alternatives(depth: depth + 1)
                guard offset < text.count, text[offset] == ")" else { throw TableError(.unbalanced) }
                offset += 1
                try optional(from: start)
            case " ":
                offset += 1
                steps.append(.space)
                try optional(from: start)
            case "_":
                offset += 1
                steps.append(.optionalSpace)
            case "^":
                offset += 1
                steps.append(.textStart)
            case "$":
                offset += 1
                steps.append(.textEnd)
            case "}", "?": throw TableError(.unbalanced)
            default: try literal()
            }
        }
    }

    private mutating func optional(from start: Int) throws {
        guard offset < text.count, text[offset] == "?" else { return }
        offset += 1
        insertSplit(at: start)
        steps[start] = .split(other: steps.count)
    }

    private static let signs = Set<Unicode.Scalar>("{}()|?_^$ ".unicodeScalars)

    private mutating func literal() throws {
        var bytes: [UInt8] = []
        while offset < text.count, !Self.signs.contains(text[offset]) {
            if text[offset] == "\\" {
                offset += 1
                guard offset < text.count else { throw TableError(.unbalanced) }
            }
            Folding.append(text[offset].value, to: &bytes)
            offset += 1
        }
        for token in tables.tokens(of: bytes) {
            switch token.kind {
            case .space: steps.append(.space)
            case .word where token.shape == .lower: steps.append(.folded(token.folded))
            case .word, .digits, .mark, .ideograph: steps.append(.exact(token.exact))
            }
        }
        guard !steps.isEmpty else { return }
        try optional(from: steps.count - 1)
    }

    private mutating func element() throws {
        guard let close = text[offset...].firstIndex(of: "}") else { throw TableError(.unbalanced) }
        var inside = String(String.UnicodeScalarView(text[offset + 1..<close]))
        offset = close + 1
        var slot: Int?
        if let colon = inside.firstIndex(of: ":") {
            guard names.count < Self.nameLimit else { throw TableError(.tooMuch) }
            let name = String(inside[..<colon])
            if let known = names.firstIndex(of: name) {
                slot = known
            } else {
                slot = names.count
                names.append(name)
            }
            inside = String(inside[inside.index(after: colon)...])
        }
        if let slot { steps.append(.open(slot: slot)) }
        steps.append(try step(inside))
        if let slot { steps.append(.close(slot: slot)) }
    }

    private func step(_ element: String) throws -> Step {
        if element.hasPrefix("@") {
            let name = String(element.dropFirst())
            guard let number = tables.listNumbers[name] else { throw TableError(.unknownList(name)) }
            return .list(number)
        }
        switch element {
        case "digits": return .digits(lengths: (1, .max), values: (0, .max))
        case "int": return .number(.integer)
        case "number": return .number(.either)
        case "decimal": return .number(.decimal)
        default: break
        }
        if element.hasPrefix("*"), let ending = WordEnding(element.dropFirst()) { return .ending(ending) }
        if let shape = WordShape(rawValue: element) { return .word(shape) }
        if let shape = SpecialShape(rawValue: element) { return .special(shape) }
        if let digits = Self.digits(element) { return digits }
        throw TableError(.unknownElement(element))
    }

    private static func digits(_ element: String) -> Step? {
        if element.hasPrefix("d") {
            let bounds = element.dropFirst().split(separator: "-").map { Int($0) }
            guard let low = bounds.first, let low, low > 0, bounds.count <= 2, let high = bounds.last, let high,
                high >= low
            else { return nil }
            return .digits(lengths: (Int32(clamping: low), Int32(clamping: high)), values: (0, .max))
        }
        guard let dots = element.firstIndex(of: "."), element[dots...].hasPrefix("..") else { return nil }
        let upper = element[dots...].dropFirst(2)
        guard let low = Int64(element[..<dots]), let high = Int64(upper), low >= 0, high >= low else { return nil }
        return .digits(lengths: (1, Int32(clamping: upper.count)), values: (low, high))
    }
}
