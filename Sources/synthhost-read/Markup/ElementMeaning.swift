import SynthDocuments

/// The attributes of an element, each of which is read only once.
struct ElementFacts {
    private(set) var id: String?
    /// The name in `<a name="…">`.
    private(set) var name: String?
    private(set) var href: String?
    private(set) var alt: String?
    private(set) var language: String?
    /// The classes in lowercase, reduced to their letters: "fnref" for "fn-ref 12".
    private(set) var classes: [String] = []
    /// The values of `epub:type` and `role`.
    private(set) var types: [String] = []
    private(set) var isHidden = false
    /// Whether the element's style makes its text superscript.
    private(set) var isRaised = false

    init(_ node: MarkupNode) {
        node.forEachAttribute { key, value in
            switch key {
            case "id" where id == nil: id = value()
            case "name" where name == nil: name = value()
            case "href" where href == nil: href = value()
            case "alt" where alt == nil: alt = value()
            case "lang" where language == nil: language = value()
            case "class":
                classes += value().lowercased().split(whereSeparator: \.isWhitespace).prefix(Self.maximumWords)
                    .map { $0.filter(\.isLetter) }
            case "type", "role": types += Self.words(value())
            case "hidden": isHidden = true
            case "aria-hidden" where value().lowercased() == "true": isHidden = true
            case "style":
                let style = value().lowercased().filter { !$0.isWhitespace }
                if style.contains("display:none") || style.contains("visibility:hidden") { isHidden = true }
                if style.contains("vertical-align:super") || style.contains("vertical-align:text-top") {
                    isRaised = true
                }
            default: break
            }
        }
        if classes.contains(where: Self.raised.contains) { isRaised = true }
    }

    private static let maximumWords = 32
    private static let raised: Set = ["super", "superscript", "sup", "fnsuper", "supindex"]

    private static func words(_ text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).prefix(maximumWords).map(String.init)
    }

    func isOf(_ types: Set<String>) -> Bool { self.types.contains(where: types.contains) }
    func hasClass(_ names: Set<String>) -> Bool { classes.contains(where: names.contains) }
}

/// How an element is read, based on its name and attributes.
enum ElementMeaning {
    case text
    /// An element that is never read, because it is hidden, decorative, or for navigation.
    case silent
    /// A footnote reference in the text.
    case noteReference
    /// One or more footnotes.
    case notes
    /// An element that is skipped if it contains only a page or line number.
    case printedNumber
    /// An element that, if empty, marks a pause between scenes.
    case separator

    private static let silentElements: Set = [
        "script", "style", "head", "title", "template", "nav", "audio", "video", "iframe", "object", "embed", "canvas",
        "button", "input", "select", "textarea", "datalist", "rt", "rp", "map", "noscript", "dialog", "annotation",
        "annotation-xml", "desc", "metadata", "defs",
    ]
    private static let silentTypes: Set = [
        "backlink", "doc-backlink", "toc", "doc-toc", "page-list", "doc-pagelist", "landmarks", "navigation", "search",
        "contentinfo", "pagebreak", "doc-pagebreak",
    ]
    /// Classes that Sphinx, Pandoc and other programs use for purely visual elements.
    private static let silentClasses: Set = [
        "headerlink", "headeranchor", "anchorlink", "permalink", "headinganchor", "anchorjslink", "anchorjs", "related",
        "sphinxsidebar", "sphinxsidebarwrapper", "mwjumplink", "mweditsection", "navheader", "navfooter", "fnbackref",
        "footnoteback", "footnotebackref", "footnotebacklink", "reversefootnote", "backlink", "fnback", "noprint",
    ]
    private static let noteTypes: Set = [
        "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "doc-footnote", "doc-endnote",
        "doc-endnotes", "note-list",
    ]
    static let referenceTypes: Set = ["noteref", "doc-noteref"]
    private static let referenceClasses: Set = [
        "fnref", "noteref", "fnanchor", "ftnref", "fnlink", "fnmarker", "fnmark", "fncall", "fnnum", "notereference",
        "notelink", "notecall", "notemark", "noteanchor", "notenum", "notenumber", "appelnote", "appeldenote",
        "appnote",
        "enref", "endnoteref", "sdfootnoteanc", "sdendnoteanc", "annotationref",
    ]
    private static let noteClasses: Set = [
        "fn", "ftn", "fntext", "fns", "rearnote", "rearnotes", "sdfootnote", "notedebasdepage", "ltxnote", "sidenote",
        "marginnote",
    ]
    private static let printedClasses: Set = [
        "pagenum", "pageno", "pagenumber", "pagebreak", "pagenr", "pgno", "pgnum", "page", "pb", "pg", "folio",
        "newpage", "pageanchor", "pagenumb", "linenum", "lnum", "lineno", "linenumber", "linenr", "lnr", "ln",
        "versenum", "versenumber", "vnum", "versno",
    ]
    private static let separators: Set = [
        "scenebreak", "sectionbreak", "separator", "ornament", "asterism", "fleuron", "dinkus", "thoughtbreak", "tb",
        "transition", "scenechange", "timebreak", "contextbreak", "decorativebreak", "ornamentalbreak",
    ]
    private static let inline: Set = [
        "a", "sup", "span", "small", "b", "i", "em", "strong", "font", "cite", "sub", "big", "u",
    ]

    static func of(_ node: MarkupNode, _ name: String, _ facts: ElementFacts) -> ElementMeaning {
        if facts.isHidden || Self.silentElements.contains(name) { return .silent }
        // A link to the top of the page is navigation if its paragraph contains nothing else.
        if name == "a", facts.href == "#top", node.parent?.words == node.words { return .silent }
        // The `type` attribute of a list is the numbering style.
        let hasTypes = !facts.types.isEmpty && name != "ol" && name != "ul"
        if hasTypes {
            if facts.isOf(Self.referenceTypes) { return .noteReference }
            if facts.isOf(Self.noteTypes) { return .notes }
            if facts.isOf(Self.silentTypes) { return .silent }
            if facts.isOf(["presentation", "none"]), name == "img" { return .silent }
        }
        if facts.classes.isEmpty { return .text }
        let isInline = Self.inline.contains(name)
        if facts.hasClass(Self.silentClasses) { return .silent }
        if isInline, facts.hasClass(Self.referenceClasses) { return .noteReference }
        if facts.hasClass(Self.noteClasses) || facts.classes.contains(where: Self.isOfNotes) {
            // A short inline element is a footnote reference; a longer one is the footnote itself.
            let isMark = isInline && (node.fewWords.map { NoteMark($0) != nil } ?? false)
            return isMark ? .noteReference : .notes
        }
        if facts.hasClass(Self.printedClasses) || isInline && facts.classes.contains(where: { $0.contains("page") }) {
            return .printedNumber
        }
        if facts.hasClass(Self.separators) { return .separator }
        return .text
    }

    private static func isOfNotes(_ name: String) -> Bool { name.hasPrefix("footnote") || name.hasPrefix("endnote") }

    /// Whether the text of a `printedNumber` is a page or line number: "13", "xii", "[Pg 12]", "p. 4", "12r".
    static func isPrintedNumber(_ text: String) -> Bool {
        let bare = text.lowercased().trimmed { !$0.isLetter && !$0.isNumber }
        let words = bare.split { !$0.isLetter && !$0.isNumber }
        guard let last = words.last, words.count <= 2, last.count <= 7 else { return false }
        if words.count == 2, !["pg", "page", "p", "s", "seite", "pag", "str"].contains(words[0]) { return false }
        return last.allSatisfy(\.isNumber) || last.allSatisfy { "ivxlcdm".contains($0) }
            || last.dropLast().allSatisfy(\.isNumber) && "abrv".contains(last.last ?? " ") && last.count > 1
    }

    /// Whether an anchor without a link marks a page number, as in `<a id="page19">19</a>`.
    static func isPageAnchor(_ id: String, _ text: String) -> Bool {
        let letters = id.lowercased().prefix { $0.isLetter }
        let rest = id.dropFirst(letters.count).drop { !$0.isLetter && !$0.isNumber }
        guard ["page", "pg", "p", "pagenum", "pageno", "seite", "pag"].contains(letters), !rest.isEmpty else {
            return false
        }
        return rest.allSatisfy { $0.isNumber || "ivxlcdm".contains($0) } && isPrintedNumber(text)
    }
}

/// The form of a footnote reference in the text: "1", "[12]", "*", "iv", "a".
enum NoteMark {
    case number, sign, letter

    init?(_ text: String) {
        guard text.utf8.count <= 48 else { return nil }
        // Several references may be at the same position: "1, 2".
        let parts = text.split { $0.isWhitespace || ",;–-".contains($0) }
        guard !parts.isEmpty, parts.count <= 6 else { return nil }
        var found: NoteMark?
        for part in parts {
            let bare = String(part).trimmed { "[](){}.:^\u{FE0E}\u{FE0F}".contains($0) }
            guard let first = bare.first else { return nil }
            if bare.allSatisfy(\.isNumber), bare.count <= 4 {
                found = .number
            } else if bare.count <= 4, bare.allSatisfy({ "*†‡§¶‖#∗⁎⁑✱✽°+".contains($0) }) {
                found = .sign
            } else if bare.count == 1 && first.isLetter || bare.count <= 5 && bare.allSatisfy({ "ivxl".contains($0) }) {
                found = .letter
            } else {
                return nil
            }
        }
        guard let found else { return nil }
        self = found
    }

    static let brackets: Set<Character> = ["[", "(", "{"]

    /// Returns the reference without brackets.
    static func bare(_ text: String) -> String { text.trimmed { "[](){}. ".contains($0) } }

    private static let arrows: Set<Character> = ["↩", "↑", "⤴", "⇑", "▲", "⬆", "⏎", "↖", "⇧", "↵", "⮌", "«", "^"]

    /// Whether a link's text is a backlink arrow.
    static func isBacklink(_ text: String) -> Bool {
        let bare = text.trimmed { $0.isWhitespace || "[](). ".contains($0) }
        return !bare.isEmpty && bare.count <= 3
            && bare.allSatisfy { arrows.contains($0) || "\u{FE0E}\u{FE0F}".contains($0) || $0.isNumber }
            && bare.contains { character in
                arrows.contains { character.unicodeScalars.first == $0.unicodeScalars.first }
            }
    }
}
