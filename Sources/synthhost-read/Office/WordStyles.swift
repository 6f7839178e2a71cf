/// The properties of a Word style that are relevant to speech.
struct WordStyle {
    /// The heading level, starting at 0, or nil if the style is not a heading.
    var outline: Int?
    /// Whether the style is for a table of contents or a table of figures.
    var isContents = false
    var isHidden = false
    var isStressed = false
    var language: String?
    var numbering: MarkupNode?
}

/// A Word document's styles, keyed by ID.
struct WordStyles {
    /// The language of text that does not specify one.
    private(set) var language: String?
    private var nodes: [String: MarkupNode] = [:]
    private var basic = WordStyle()
    private var known: [String: WordStyle] = [:]

    private static let maximumStyles = 10_000
    /// The maximum number of styles in an inheritance chain.
    private static let deepest = 20

    init(_ root: MarkupNode?) {
        guard let root else { return }
        language = root.child("docdefaults")?.descendants("lang").first?.attribute("val")
        let all = root.elements.filter { $0.name == "style" }.prefix(Self.maximumStyles)
        for node in all { if let id = node.attribute("styleid") { nodes[id] = node } }
        for (id, node) in nodes { known[id] = style(of: node, depth: 0) }
        let usual = all.first {
            $0.attribute("type") == "paragraph" && ["1", "true"].contains($0.attribute("default") ?? "")
        }
        basic = usual.map { style(of: $0, depth: 0) } ?? WordStyle()
    }

    subscript(id: String?) -> WordStyle { id.flatMap { known[$0] } ?? basic }

    private func style(of node: MarkupNode, depth: Int) -> WordStyle {
        var style = WordStyle()
        if depth < Self.deepest, let base = node.value("basedon").flatMap({ nodes[$0] }) {
            style = self.style(of: base, depth: depth + 1)
        }
        // Word uses the English names for its built-in styles.
        let name = (node.value("name") ?? "").lowercased()
        if name.hasPrefix("heading "), let level = Int(name.dropFirst(8)), (1...9).contains(level) {
            style.outline = level - 1
        }
        if name == "title" { style.outline = 0 }
        if name.hasPrefix("toc ") || name == "table of figures" || name.hasPrefix("index ") { style.isContents = true }
        for part in node.elements where part.name == "ppr" {
            if let level = part.value("outlinelvl").flatMap({ Int($0) }) { style.outline = level }
            if let numbering = part.child("numpr") { style.numbering = numbering }
        }
        for part in node.elements where part.name == "rpr" {
            func isOn(_ name: String) -> Bool? {
                part.child(name).map { !["0", "false", "off"].contains($0.attribute("val") ?? "") }
            }
            style.isHidden = isOn("vanish") ?? style.isHidden
            style.isStressed = isOn("i") ?? isOn("b") ?? style.isStressed
            style.language = part.value("lang") ?? style.language
        }
        return style
    }
}

/// Counts the paragraphs of numbered lists.
struct WordNumbering {
    private struct Level {
        var format = "decimal"
        var start = 1
        /// The pattern of the number, such as "%1.%2".
        var pattern = ""
    }

    struct Number: Equatable {
        /// The level, starting at 1.
        var depth: Int
        /// The number, or nil for bullets and letters.
        var count: Int?
        /// The number as displayed, or nil for a bullet.
        var text: String?
    }

    private var levels: [String: [Int: Level]] = [:]
    private var lists: [String: String] = [:]
    private var counts: [String: [Int: Int]] = [:]

    private static let maximumLists = 20_000

    init(_ root: MarkupNode?) {
        for node in root?.elements.prefix(2 * Self.maximumLists) ?? [] {
            if node.name == "abstractnum", let id = node.attribute("abstractnumid") {
                levels[id] = Self.levels(of: node)
            } else if node.name == "num", let id = node.attribute("numid"), let list = node.value("abstractnumid") {
                lists[id] = list
            }
        }
    }

    private static func levels(of node: MarkupNode) -> [Int: Level] {
        var levels: [Int: Level] = [:]
        for part in node.elements where part.name == "lvl" {
            guard let number = part.attribute("ilvl").flatMap({ Int($0) }), (0...8).contains(number) else { continue }
            levels[number] = Level(
                format: part.value("numfmt") ?? "decimal", start: part.value("start").flatMap { Int($0) } ?? 1,
                pattern: part.value("lvltext") ?? "%\(number + 1).")
        }
        return levels
    }

    /// Returns the number of the next paragraph of a list, or nil if the paragraph is not in a list.
    ///
    /// - Parameters:
    ///   - properties: the paragraph's `numPr`.
    ///   - hasText: whether the paragraph contains text. Empty paragraphs are not numbered.
    mutating func next(_ properties: MarkupNode?, hasText: Bool) -> Number? {
        guard let properties, hasText, let id = properties.value("numid"), id != "0", let list = lists[id] else {
            return nil
        }
        let depth = min(max(properties.value("ilvl").flatMap { Int($0) } ?? 0, 0), 8)
        let level = levels[list]?[depth] ?? Level()
        if level.format == "bullet" { return Number(depth: depth + 1) }
        if level.format == "none" { return nil }
        var own = counts[list] ?? [:]
        own[depth] = own[depth].map { $0 &+ 1 } ?? level.start
        for deeper in depth + 1..<10 { own[deeper] = nil }
        counts[list] = own
        var text = level.pattern
        for number in 0...depth {
            let format = levels[list]?[number]?.format ?? "decimal"
            text = text.replacing("%\(number + 1)", with: Self.written(own[number] ?? 1, format))
        }
        let isDigits = !["lowerLetter", "upperLetter", "lowerRoman", "upperRoman"].contains(level.format)
        return Number(depth: depth + 1, count: isDigits ? own[depth] : nil, text: text)
    }

    private static func written(_ number: Int, _ format: String) -> String {
        switch format {
        case "lowerLetter", "upperLetter":
            guard (1...26).contains(number), let scalar = Unicode.Scalar(UInt32(0x60 + number)) else {
                return "\(number)"
            }
            return format == "lowerLetter" ? String(scalar) : String(scalar).uppercased()
        case "lowerRoman", "upperRoman":
            let roman = RomanNumeral.text(number)
            return format == "lowerRoman" ? roman.lowercased() : roman
        default: return "\(number)"
        }
    }
}

extension MarkupNode {
    /// Returns the value (`w:val`) of the first child element with this name.
    func value(_ name: String) -> String? { child(name)?.attribute("val") }

    /// The text directly inside the element, including all spaces.
    var rawText: String { children.compactMap(\.text).joined() }
}
