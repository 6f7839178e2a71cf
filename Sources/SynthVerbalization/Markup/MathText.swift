/// Finds LaTeX formulas between dollar signs or in `\( … \)` and `\[ … \]` and converts them to plain notation:
/// `$E = mc^2$` to "E = m c²", and `$$\frac{1}{2}$$` to "1/2".
///
/// A language's rules then verbalize the result. Dollar signs that indicate money or shell variables are left
/// unchanged.
package enum MathText {
    /// The maximum length of a formula in bytes, excluding delimiters.
    private static let longest = 2_000

    /// Returns the replacements for formulas, sorted by position and without overlaps. Runs in linear time.
    package static func replacements(in text: String) -> [Replacement] {
        guard text.utf8.contains(where: { $0 == 0x24 || $0 == 0x5C }) else { return [] }
        let bytes = Array(text.utf8)
        var found: [Replacement] = []
        var offset = 0
        while offset < bytes.count {
            guard let formula = formula(at: offset, in: bytes) else {
                offset += 1
                continue
            }
            var reader = MathReader(bytes, formula.content)
            let words = reader.words()
            found.append(Replacement(range: formula.range, words: words, kind: "maths"))
            offset = formula.range.upperBound
        }
        return found
    }

    private static func formula(
        at start: Int, in bytes: [UInt8]
    ) -> (range: Range<Int>, content: Range<Int>)? {
        guard start + 2 < bytes.count else { return nil }
        let next = bytes[start + 1]
        if bytes[start] == 0x5C, next == 0x28 || next == 0x5B {
            return end(0x5C, next == 0x28 ? 0x29 : 0x5D, from: start + 2, in: bytes).map { end in
                (start..<end + 2, start + 2..<end)
            }
        }
        guard bytes[start] == 0x24 else { return nil }
        if next == 0x24 {
            guard let end = end(0x24, 0x24, from: start + 2, in: bytes), isFormula(start + 2..<end, in: bytes) else {
                return nil
            }
            return (start..<end + 2, start + 2..<end)
        }
        guard start == 0 || !isWord(bytes[start - 1]) && bytes[start - 1] != 0x5C, next > 0x20,
            let end = end(0x24, nil, from: start + 1, in: bytes), bytes[end - 1] > 0x20,
            end + 1 == bytes.count || !isWord(bytes[end + 1]), isFormula(start + 1..<end, in: bytes)
        else { return nil }
        return (start..<end + 1, start + 1..<end)
    }

    /// Returns the position of the closing delimiter, or nil if it is too far away. Skips escaped dollar signs.
    private static func end(_ first: UInt8, _ second: UInt8?, from start: Int, in bytes: [UInt8]) -> Int? {
        var offset = start
        while offset < bytes.count, offset - start <= longest {
            if bytes[offset] == first, first == 0x5C || bytes[offset - 1] != 0x5C {
                guard let second else { return offset > start ? offset : nil }
                if offset + 1 < bytes.count, bytes[offset + 1] == second { return offset > start ? offset : nil }
                if first == 0x24 { return nil }
            }
            offset += 1
        }
        return nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// Whether the content is a formula rather than an amount of money. A formula contains a LaTeX command or a
    /// mathematical character, or is a single number or variable. A formula without commands does not contain words of
    /// three or more letters.
    private static func isFormula(_ content: Range<Int>, in bytes: [UInt8]) -> Bool {
        var hasSign = false
        var letters = 0
        var hasWord = false
        var visible = 0
        for offset in content {
            let byte = bytes[offset]
            switch byte {
            case 0x5C: return true
            case 0x5E, 0x5F, 0x3D, 0x3C, 0x3E, 0x2B, 0x7C: hasSign = true
            default: break
            }
            if byte > 0x20 { visible += 1 }
            letters = (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 ? letters + 1 : 0
            if letters > 2 { hasWord = true }
        }
        return visible <= 1 && visible > 0 || hasSign && !hasWord
            || !hasWord
                && content.allSatisfy { (0x30...0x39).contains(bytes[$0]) || bytes[$0] == 0x2E || bytes[$0] == 0x2D }
    }
}

/// Parses a formula in one pass.
struct MathReader {
    private let bytes: [UInt8]
    private let end: Int
    private var offset: Int
    private var depth = 0
    private static let deepest = 16

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    mutating func words() -> String {
        var parts: [String] = []
        read(until: nil, into: &parts)
        return Self.joined(parts)
    }

    /// Joins parts with spaces, except between parts that belong together.
    private static func joined(_ parts: [String]) -> String {
        var text = ""
        for part in parts where !part.isEmpty {
            let isGlued =
                text.isEmpty || part == ")" || part == "," || part == "′" || part.first.map(raised.contains) == true
                || part.hasPrefix("^") || part == "°" || part == "!" || part == "%"
            let isSigned = text.last == "−" && isSign(text)
            let isCall = part == "(" && text.last?.isLetter == true
            if isGlued || isSigned || isCall || "(√∛∜".contains(text.last ?? " ") {
                text += part
            } else {
                text += " " + part
            }
        }
        return text
    }

    /// Whether the minus sign at the end of the text denotes a negative number rather than subtraction.
    private static func isSign(_ text: String) -> Bool {
        guard let before = text.dropLast().last(where: { $0 != " " }) else { return true }
        return "(=<>+−×,≤≥".contains(before)
    }

    /// Operators with lower and upper bounds.
    private static let bounded: Set<String> = ["∑", "∏", "∫", "lim", "max", "min"]

    private static let raised: Set<Character> = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"]

    private mutating func read(until close: UInt8?, into parts: inout [String]) {
        while offset < end {
            if bytes[offset] == close {
                offset += 1
                return
            }
            readOne(into: &parts)
        }
    }

    private mutating func readOne(into parts: inout [String]) {
        let byte = bytes[offset]
        switch byte {
        case 0x5C: command(into: &parts)
        case 0x7B:
            offset += 1
            group(into: &parts)
        case 0x5E:
            offset += 1
            parts.append(Self.power(argument()))
        case 0x5F:
            offset += 1
            let isBound = parts.last.map(Self.bounded.contains) == true
            let lower = argument()
            guard isBound, offset < end, bytes[offset] == 0x5E else {
                parts.append(isBound ? lower + "," : lower)
                return
            }
            // Skip the `^` between the lower and upper bounds of a sum or an integral.
            offset += 1
            parts.append("\(lower)–\(argument()),")
        case 0x30...0x39:
            let start = offset
            while offset < end, (0x30...0x39).contains(bytes[offset]) || isMark(at: offset) { offset += 1 }
            parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
        case 0x26, 0x7E, 0x7D, 0x24, 0x00...0x20: offset += 1
        case 0x2D: take("−", into: &parts)
        case 0x2A: take("×", into: &parts)
        case 0x27: take("′", into: &parts)
        default:
            let length = scalar(in: bytes, at: offset).length
            let start = offset
            offset = min(end, offset + length)
            parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
        }
    }

    /// Whether the byte is a decimal separator before a digit.
    private func isMark(at position: Int) -> Bool {
        (bytes[position] == 0x2E || bytes[position] == 0x2C) && position + 1 < end
            && (0x30...0x39).contains(bytes[position + 1])
    }

    private mutating func take(_ sign: String, into parts: inout [String]) {
        offset += 1
        parts.append(sign)
    }

    private mutating func group(into parts: inout [String]) {
        guard depth < Self.deepest else { return }
        depth += 1
        read(until: 0x7D, into: &parts)
        depth -= 1
    }

    /// Reads the argument of a command or operator: a group, a command or a single character.
    private mutating func argument() -> String {
        while offset < end, bytes[offset] <= 0x20 { offset += 1 }
        guard offset < end else { return "" }
        var parts: [String] = []
        if (0x30...0x39).contains(bytes[offset]) {
            offset += 1
            return String(decoding: bytes[offset - 1..<offset], as: UTF8.self)
        }
        guard depth < Self.deepest else {
            offset += 1
            return ""
        }
        depth += 1
        readOne(into: &parts)
        depth -= 1
        return Self.joined(parts)
    }

    private static func power(_ exponent: String) -> String {
        let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
        let number = exponent.hasPrefix("−") ? exponent.dropFirst() : exponent[...]
        if exponent == "°" || exponent == "′" { return exponent }
        guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return "^" + exponent }
        let raised = number.utf8.map { String(digits[Int($0) - 0x30]) }.joined()
        return (exponent.hasPrefix("−") ? "⁻" : "") + raised
    }

    private mutating func command(into parts: inout [String]) {
        offset += 1
        let start = offset
        while offset < end, (0x61...0x7A).contains(bytes[offset] | 0x20) { offset += 1 }
        guard offset > start else {
            guard offset < end else { return }
            let sign = bytes[offset]
            offset += 1
            // \\ starts a new line; \, and similar commands produce spaces.
            if sign == 0x5C { parts.append(",") }
            if [0x25, 0x24, 0x26, 0x23, 0x7C].contains(sign) { parts.append(String(Unicode.Scalar(sign))) }
            return
        }
        let name = String(decoding: bytes[start..<offset], as: UTF8.self)
        switch name {
        case "frac", "dfrac", "tfrac", "cfrac":
            let (upper, lower) = (argument(), argument())
            let isNumber = (upper + lower).utf8.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber { parts.append("\(upper)/\(lower)") } else { parts += [upper, "/", lower] }
        case "sqrt":
            var degree = ""
            if offset < end, bytes[offset] == 0x5B {
                offset += 1
                let first = offset
                while offset < end, bytes[offset] != 0x5D { offset += 1 }
                degree = String(decoding: bytes[first..<offset], as: UTF8.self)
                if offset < end { offset += 1 }
            }
            let content = argument()
            let isAtom = !content.contains(" ")
            parts += [degree == "3" ? "∛" : degree == "4" ? "∜" : "√", isAtom ? content : "(\(content))"]
        case "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "limits", "quad", "qquad", "mathrm",
            "mathbf", "mathit", "operatorname", "boldsymbol", "vec", "hat", "bar", "nonumber":
            return
        case "text", "textbf", "textit", "mbox", "label", "tag", "begin", "end":
            let text = word()
            if name.hasPrefix("text") || name == "mbox" { parts.append(text) }
        case "mathbb": parts.append(Self.sets[word()] ?? "")
        default: parts.append(Self.signs[name] ?? name)
        }
    }

    /// Reads a group as literal text.
    private mutating func word() -> String {
        guard offset < end, bytes[offset] == 0x7B else { return "" }
        let start = offset + 1
        while offset < end, bytes[offset] != 0x7D { offset += 1 }
        defer { offset = min(end, offset + 1) }
        return start < offset ? String(decoding: bytes[start..<offset], as: UTF8.self) : ""
    }

    private static let sets = ["R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ"]

    private static let signs = [
        "times": "×", "cdot": "×", "ast": "×", "div": "÷", "pm": "±", "mp": "∓", "leq": "≤", "le": "≤", "geq": "≥",
        "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "sim": "≈", "simeq": "≈", "equiv": "≡", "to": "→",
        "rightarrow": "→", "Rightarrow": "⇒", "implies": "⇒", "iff": "⇔", "infty": "∞", "in": "∈", "notin": "∉",
        "sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "nabla": "∇", "cup": "∪", "cap": "∩", "subset": "⊂",
        "subseteq": "⊆", "forall": "∀", "exists": "∃", "emptyset": "∅", "ldots": "…", "cdots": "…", "dots": "…",
        "circ": "°", "degree": "°", "prime": "′", "lt": "<", "gt": ">", "percent": "%", "propto": "∝", "pi": "π",
        "varepsilon": "epsilon", "varphi": "phi", "vartheta": "theta", "mid": "|", "lvert": "|", "rvert": "|",
        "vert": "|", "perp": "⊥", "parallel": "∥", "angle": "∠", "hbar": "h", "ell": "l", "langle": "", "rangle": "",
    ]
}
