import SynthScript

/// Goes through the source of a block beside the tree that the library has read from it, and notes the place of each word.
///
/// The library knows places for some of the parts of a paragraph, and wrong ones after a definition, in a quotation, or in a
/// cell with a backslash. But from the tree it is clear what stands in the source next: the signs of an emphasis, the
/// address of a link, a reference or the text itself. If something else stands there, the rest of the block keeps the place
/// of the whole rest.
struct InlineWalk {
    private enum Brackets {
        case pointed
        case square
    }

    private let stretch: MarkdownStretch
    private let grammar: LinkGrammar
    private var index = 0
    private var open: [Brackets] = []
    private var text = MarkdownText()
    /// What is said after the place where tree and source part.
    private var rest: [UInt8]?

    init(_ stretch: MarkdownStretch) {
        self.stretch = stretch
        grammar = LinkGrammar(bytes: stretch.bytes)
        skipBlank()
    }

    /// Goes past the definitions at the head of a paragraph.
    mutating func skipDefinitions() {
        while let end = grammar.endOfDefinition(at: index) { index = end }
    }

    /// Goes past the signs of a heading.
    mutating func skipSigns() {
        while byte == UInt8(ascii: "#") { index += 1 }
        skipBlank()
    }

    /// Whether the tree and the source have parted.
    var isLost: Bool { rest != nil }

    /// The words, at the end of the block.
    consuming func finish() -> MarkdownText {
        guard let rest, !rest.isEmpty else { return text }
        let start = text.mapped.count
        let from = stretch.source(of: index)
        text.append(rest, insteadOf: from..<max(from, stretch.source(of: stretch.bytes.count)))
        text.protect(from: start)
        return text
    }

    mutating func enter(_ kind: MarkdownKind, _ literal: [UInt8], _ entities: inout MarkdownEntities) {
        guard rest == nil else { return keep(kind, literal) }
        switch kind {
        case .text: take(literal, &entities)
        case .softBreak, .lineBreak: takeBreak()
        case .code: takeCode(literal)
        case .html: takeHTML(literal)
        case .noteReference: takeNote()
        case .emphasis: takeSigns(1)
        case .strong: takeSigns(2)
        case .struck: takeSigns(tildes)
        case .image:
            take("!")
            take("[")
            open.append(.square)
        case .link:
            open.append(byte == UInt8(ascii: "<") ? .pointed : .square)
            if byte == UInt8(ascii: "<") { take("<") } else { take("[") }
        default: break
        }
    }

    mutating func leave(_ kind: MarkdownKind) {
        guard rest == nil else { return }
        switch kind {
        case .emphasis: takeSigns(1)
        case .strong: takeSigns(2)
        case .struck: takeSigns(tildes)
        case .link, .image:
            guard open.popLast() == .square else { return take(">") }
            take("]")
            if rest == nil { index = grammar.endOfTail(at: index) }
        default: break
        }
    }

    private var bytes: [UInt8] { stretch.bytes }
    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }
    private var tildes: Int { bytes[index...].prefix(2).prefix { $0 == UInt8(ascii: "~") }.count }

    private mutating func skipBlank() {
        while let byte, byte == 0x20 || byte == 0x09 { index += 1 }
    }

    private mutating func part(with literal: [UInt8] = []) { rest = literal }

    private mutating func keep(_ kind: MarkdownKind, _ literal: [UInt8]) {
        switch kind {
        case .text, .code: rest?.append(contentsOf: literal)
        case .softBreak, .lineBreak: rest?.append(0x20)
        default: break
        }
    }

    private mutating func take(_ sign: Unicode.Scalar) {
        guard let byte, UInt32(byte) == sign.value else { return part() }
        index += 1
    }

    private mutating func takeSigns(_ count: Int) {
        let signs = bytes[index...].prefix(max(count, 1))
        let isRun = signs.count == count && signs.allSatisfy { $0 == byte }
        guard isRun, byte == UInt8(ascii: "*") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~") else {
            return part()
        }
        index += count
    }

    /// Text as it is, except for backslashes and character references.
    private mutating func take(_ literal: [UInt8], _ entities: inout MarkdownEntities) {
        let isAddress = open.last == .pointed
        var said = 0
        var first = index
        while said < literal.count {
            guard let byte else { break }
            if byte == UInt8(ascii: "\\"), !isAddress, index + 1 < bytes.count,
                LinkGrammar.isPunctuation(bytes[index + 1]), bytes[index + 1] == literal[said]
            {
                stretch.copy(first..<index, to: &text.mapped)
                let start = text.mapped.count
                text.mapped.append([literal[said]], for: stretch.source(of: index..<index + 2))
                text.protect(from: start)
                index += 2
                said += 1
                first = index
            } else if byte == UInt8(ascii: "&"),
                let reference = entities.reference(at: index, of: bytes, as: literal[said...])
            {
                stretch.copy(first..<index, to: &text.mapped)
                let start = text.mapped.count
                text.append(
                    Array(literal[said..<said + reference.count]), insteadOf: stretch.source(of: index..<reference.end))
                text.protect(from: start)
                index = reference.end
                said += reference.count
                first = index
            } else if literal[said] == 0x0A, let end = grammar.afterLineEnd(at: index) {
                // In the sign of a footnote that there is not.
                stretch.copy(first..<index, to: &text.mapped)
                text.mapped.append(" ", for: stretch.source(of: index..<end))
                index = end
                said += 1
                first = index
            } else if byte == literal[said] {
                index += 1
                said += 1
            } else if byte == 0, literal[said...].starts(with: Array("\u{FFFD}".utf8)) {
                stretch.copy(first..<index, to: &text.mapped)
                text.mapped.append("\u{FFFD}", for: stretch.source(of: index..<index + 1))
                index += 1
                said += 3
                first = index
            } else {
                break
            }
        }
        // The difference may be inside a character.
        while said < literal.count, said > 0, UTF8Cursor.isContinuation(literal[said]), index > first {
            said -= 1
            index -= 1
        }
        stretch.copy(first..<index, to: &text.mapped)
        if said < literal.count { part(with: Array(literal[said...])) }
    }

    /// A line break is a space.
    private mutating func takeBreak() {
        let start = index
        skipBlank()
        let hasBackslash = byte == UInt8(ascii: "\\")
        if hasBackslash { index += 1 }
        guard let end = grammar.afterLineEnd(at: index) else {
            index = start
            return part(with: [0x20])
        }
        index = end
        if !hasBackslash { skipBlank() }
        text.mapped.append(
            " ", for: stretch.source(of: start)..<max(stretch.source(of: start), stretch.source(of: index)))
    }

    private mutating func takeCode(_ literal: [UInt8]) {
        let start = index
        while byte == UInt8(ascii: "`") { index += 1 }
        let ticks = index - start
        var content = index..<index
        var run = 0
        var end = index
        while end < bytes.count, ticks > 0 {
            if bytes[end] == UInt8(ascii: "`") {
                run += 1
            } else if run == ticks {
                break
            } else {
                run = 0
            }
            end += 1
        }
        guard ticks > 0, run == ticks else {
            index = start
            return part(with: literal)
        }
        content = index..<end - ticks
        index = end
        var code = withSpaces(content)
        let bytes = code.utf8
        if bytes.count >= 2, bytes.first == 0x20, bytes.last == 0x20, bytes.contains(where: { $0 != 0x20 }) {
            code = code.slice(1..<bytes.count - 1)
        }
        let from = text.mapped.count
        if code.utf8 == literal {
            text.mapped.append(code)
        } else {
            text.append(literal, insteadOf: stretch.source(of: content))
        }
        text.protect(from: from)
    }

    /// A part of the source with a space for each line end.
    private func withSpaces(_ range: Range<Int>) -> MappedText {
        var text = MappedText()
        var first = range.lowerBound
        while let breaking = bytes[first..<range.upperBound].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            stretch.copy(first..<breaking, to: &text)
            first = min(grammar.afterLineEnd(at: breaking) ?? breaking + 1, range.upperBound)
            text.append(" ", for: stretch.source(of: breaking..<first))
        }
        stretch.copy(first..<range.upperBound, to: &text)
        return text
    }

    /// Left out, except that a line break is a space.
    private mutating func takeHTML(_ literal: [UInt8]) {
        var end = index
        for byte in literal {
            // The library has one kind of line end.
            guard end < bytes.count, let next = byte == 0x0A ? grammar.afterLineEnd(at: end) : end + 1,
                byte == 0x0A || bytes[end] == byte
            else { return part() }
            end = next
        }
        let tag = String(decoding: literal.prefix(4), as: UTF8.self).lowercased()
        if ["<br>", "<br/", "<br "].contains(tag) {
            text.mapped.append(" ", for: stretch.source(of: index..<end))
        }
        index = end
    }

    private mutating func takeNote() {
        let start = index
        take("[")
        while let byte, byte != UInt8(ascii: "]") { index += 1 }
        guard rest == nil, byte == UInt8(ascii: "]") else {
            index = start
            return part()
        }
        index += 1
    }
}
