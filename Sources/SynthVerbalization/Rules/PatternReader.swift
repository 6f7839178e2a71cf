/// Parses a pattern from a table:
///
/// * words, digits and symbols match themselves; a lowercase word is case-insensitive
/// * a space matches white space, `_` matches white space or nothing
/// * `(a|b)` matches either alternative, `x?` matches x or nothing, `\` escapes a character
/// * `{name:element}` captures the element's match under a name for use in the template; `{element}` does not capture
///   it. Elements are `@list` (an entry of a list), `1..31` (digits with a value in this range), `d2` or `d1-4` (this
///   number of digits), `digits`, `int`, `number`, `decimal`, `*ly` (a longer word with this ending), and the word
///   shapes and special matches (`WordShape`, `SpecialShape`)
/// * `^` matches the beginning of the text, and `$` its end
struct PatternReader {
    static let nameLimit = 8
    private static let depthLimit = 16

    private let text: TableText
    /// The index of the next byte.
    private var offset: Int
    private var steps: [Step] = []
    private(set) var names: [String] = []
    private let tables: TableBuilder

    static func read(_ text: TableText, _ tables: TableBuilder) throws -> (pattern: Pattern, names: [String]) {
        var reader = PatternReader(text: text, tables: tables)
        try reader.alternatives(depth: 0)
        guard reader.next == nil else { throw TableError(.unbalanced) }
        reader.steps.append(.end)
        return (tables.add(reader.steps), reader.names)
    }

    private init(text: TableText, tables: TableBuilder) {
        self.text = text
        self.tables = tables
        offset = text.startIndex
    }

    private var next: UInt8? { offset < text.endIndex ? text[offset] : nil }

    private mutating func alternatives(depth: Int) throws {
        guard depth < Self.depthLimit else { throw TableError(.tooMuch) }
        var jumps: [Int] = []
        var branch = steps.count
        while true {
            try sequence(depth: depth)
            guard next == Sign.bar else { break }
            offset += 1
            // Insert a split before the last branch, and a jump to the end after that branch.
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
        while let byte = next, byte != Sign.bar, byte != Sign.closing {
            let start = steps.count
            switch byte {
            case Sign.element:
                try element()
                try optional(from: start)
            case Sign.opening:
                offset += 1
                try alternatives(depth: depth + 1)
                guard next == Sign.closing else { throw TableError(.unbalanced) }
                offset += 1
                try optional(from: start)
            case Sign.space:
                add(.space)
                try optional(from: start)
            case Sign.optionalSpace: add(.optionalSpace)
            case Sign.textStart: add(.textStart)
            case Sign.textEnd: add(.textEnd)
            case Sign.elementEnd, Sign.optional: throw TableError(.unbalanced)
            default: try literal()
            }
        }
    }

    /// Adds the step for a special character and skips the character.
    private mutating func add(_ step: Step) {
        steps.append(step)
        offset += 1
    }

    private mutating func optional(from start: Int) throws {
        guard next == Sign.optional else { return }
        offset += 1
        insertSplit(at: start)
        steps[start] = .split(other: steps.count)
    }

    private mutating func literal() throws {
        var bytes: [UInt8] = []
        while var byte = next, !Sign.isSign(byte) {
            if byte == Sign.escape {
                offset += 1
                guard let escaped = next else { throw TableError(.unbalanced) }
                byte = escaped
            }
            bytes.append(byte)
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
        guard let close = text[offset...].firstIndex(of: Sign.elementEnd) else { throw TableError(.unbalanced) }
        var inside = text[offset + 1..<close]
        offset = close + 1
        var slot: Int?
        if let colon = inside.firstIndex(of: 0x3A) {
            guard names.count < Self.nameLimit else { throw TableError(.tooMuch) }
            let name = inside[..<colon].string
            if let known = names.firstIndex(of: name) {
                slot = known
            } else {
                slot = names.count
                names.append(name)
            }
            inside = inside[(colon + 1)...]
        }
        if let slot { steps.append(.open(slot: slot)) }
        steps.append(try tables.elements.value(of: inside) { try step(inside.string) })
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

/// The characters that have a special meaning in patterns.
private enum Sign {
    static let space = UInt8(ascii: " ")
    static let optionalSpace = UInt8(ascii: "_")
    static let opening = UInt8(ascii: "(")
    static let bar = UInt8(ascii: "|")
    static let closing = UInt8(ascii: ")")
    static let optional = UInt8(ascii: "?")
    static let element = UInt8(ascii: "{")
    static let elementEnd = UInt8(ascii: "}")
    static let textStart = UInt8(ascii: "^")
    static let textEnd = UInt8(ascii: "$")
    static let escape = UInt8(ascii: "\\")

    /// Whether the character ends a literal.
    static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case space, optionalSpace, opening, bar, closing, optional, element, elementEnd, textStart, textEnd: true
        default: false
        }
    }
}
