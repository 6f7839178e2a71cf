import SynthDocuments

/// Converts a MathML formula to a line of text: the formula's alternative text or, as a fallback, the result of simple
/// rules.
struct MathMLText {
    private let words: DocumentWords
    private let raised: RaisedText
    private var nodes = 0
    private var isTooLarge = false

    /// The maximum number of elements. A formula with more elements is announced but not read.
    private static let maximumNodes = 400
    private static let deepest = 40

    init(_ raised: RaisedText) {
        self.raised = raised
        words = raised.words
    }

    /// Returns the spoken text of a formula.
    static func text(_ node: MarkupNode, _ raised: RaisedText) -> String {
        let alternative = node.attribute("alttext")?.trimmed(\.isWhitespace) ?? ""
        // Ignore TeX in the alternative text, because the elements contain the same formula.
        if !alternative.isEmpty, !alternative.contains("\\"), !alternative.contains("{") { return alternative }
        var reader = MathMLText(raised)
        let text = reader.row(node, 0).trimmed(\.isWhitespace)
        return reader.isTooLarge || text.isEmpty ? reader.words.formula : text
    }

    private mutating func row(_ node: MarkupNode, _ depth: Int) -> String {
        node.children.reduce(into: "") { $0 += read($1, after: $0, depth) }
    }

    private mutating func read(_ node: MarkupNode, after before: String, _ depth: Int) -> String {
        guard let name = node.name else { return "" }
        nodes += 1
        if nodes > Self.maximumNodes || depth > Self.deepest { isTooLarge = true }
        if isTooLarge { return "" }
        let parts = node.elements
        func part(_ index: Int) -> String { index < parts.count ? read(parts[index], after: "", depth + 1) : "" }
        let text: String
        switch name {
        case "mi", "mn", "mtext", "ms": text = node.fewWords ?? ""
        case "mo": return Self.operators(node.fewWords ?? "", after: before)
        case "mfrac": text = fraction(part(0), part(1))
        case "msup": text = power(part(0), part(1))
        case "msub", "munder", "mmultiscripts": text = "\(part(0)) \(part(1))"
        case "msubsup", "munderover":
            let base = "\(part(0)) \(part(1))"
            text = name == "msubsup" ? power(base, part(2)) : "\(base) \(part(2))"
        case "mover":
            // Do not speak a bar or an arrow above a symbol.
            let (base, over) = (part(0), part(1).trimmed(\.isWhitespace))
            text = base + (over.contains { $0.isLetter || $0.isNumber } ? " \(over)" : "")
        case "msqrt":
            let inside = row(node, depth + 1).trimmed(\.isWhitespace)
            text = Self.isAtom(inside) ? "√\(inside)" : "√(\(inside))"
        case "mroot":
            let (inside, degree) = (part(0), part(1))
            let root = degree == "3" ? "∛" : degree == "4" ? "∜" : "√"
            text = Self.isAtom(inside) ? root + inside : "\(root)(\(inside))"
        case "mfenced": text = "(" + parts.map { read($0, after: "", depth + 1) }.joined(separator: ", ") + ")"
        case "mtable": text = parts.map { row($0, depth + 1) }.joined(separator: "; ")
        case "mtr", "mlabeledtr": return parts.map { read($0, after: "", depth + 1) }.joined(separator: ", ")
        case "semantics": return parts.first.map { read($0, after: before, depth + 1) } ?? ""
        case "annotation", "annotation-xml", "mphantom", "none", "mprescripts": return ""
        case "mspace": return before.isEmpty || before.hasSuffix(" ") ? "" : " "
        default: text = row(node, depth + 1)
        }
        return Self.separated(text, from: before)
    }

    private func fraction(_ above: String, _ below: String) -> String {
        let isPlain = [above, below].allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        if isPlain { return RaisedText.fraction(above, below, after: "", isGlued: false) }
        return "\(above) \(words.over) \(below)"
    }

    private func power(_ base: String, _ exponent: String) -> String {
        let bare = exponent.filter { !$0.isWhitespace }
        if "′'″‴*∗†".contains(bare.first ?? " ") { return base + bare }
        return base
            + (RaisedText.superscript(String(bare.map { $0 == "−" ? "-" : $0 })) ?? " \(words.power) \(exponent)")
    }

    private static func isAtom(_ text: String) -> Bool { text.allSatisfy { $0.isNumber } || text.count == 1 }

    /// Inserts a space where adjacent letters or numbers would otherwise form one word.
    private static func separated(_ text: String, from before: String) -> String {
        guard let first = text.first, let last = before.last else { return text }
        let needsSpace =
            (last.isLetter || last.isNumber || last == ")") && (first.isLetter || first.isNumber || first == "√")
        return needsSpace ? " " + text : text
    }

    private static func operators(_ text: String, after before: String) -> String {
        guard let sign = text.first else { return "" }
        switch sign {
        // Invisible operators: function application, times, separator, plus.
        case "\u{2061}", "\u{2062}", "\u{2063}", "\u{2064}": return before.hasSuffix(" ") ? "" : " "
        case "(", "[", "{", "|", "∥", "⌊", "⌈": return before.last?.isLetter == true ? " \(text)" : text
        case ")", "]", "}", "!", "%", "′", "⌋", "⌉", ",", ";", ".": return text + (",;".contains(sign) ? " " : "")
        default:
            // A leading sign belongs to the number.
            if before.trimmed(\.isWhitespace).isEmpty || before.hasSuffix("("), "+-−±".contains(sign) { return text }
            return (before.hasSuffix(" ") ? "" : " ") + text + " "
        }
    }
}
