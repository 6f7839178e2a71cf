import CSynthMarkdown

/// An event that the Markdown parser reports.
enum MarkdownEvent {
    // The raw values match the library's constants.
    enum Block: UInt8 {
        case document, quote, list, numbered, item, rule, heading, code, html, paragraph
        case table, head, body, row, headCell, cell
    }

    enum Span: UInt8 { case emphasis, strong, link, image, code, struck }

    enum Text: UInt8 { case plain, zero, hardBreak, softBreak, reference, code, html }

    /// For a heading, the value is its level. For a list, the lowest bit is 1 if the list is tight, and the other bits
    /// contain the first number if the list is numbered.
    case enter(Block, Int)
    case leave(Block)
    case begin(Span)
    case end(Span)
    case text(Text, Range<Int>)
    /// A line break or a NUL character, whose position the library does not report.
    case sign(Text)
}

/// The events of a document in a compact encoding. A tree would need many times as much memory as the document.
struct MarkdownTape {
    private var bytes: [UInt8] = []
    /// The end of the most recent text.
    private var last = 0

    private static let leaving: UInt8 = 0x40
    private static let span: UInt8 = 0x20
    private static let text: UInt8 = 0x80
    private static let sign: UInt8 = 0xC0

    mutating func enter(_ block: MarkdownEvent.Block, _ value: Int) {
        bytes.append(block.rawValue)
        add(value)
    }

    mutating func leave(_ block: MarkdownEvent.Block) { bytes.append(block.rawValue | Self.leaving) }
    mutating func begin(_ span: MarkdownEvent.Span) { bytes.append(span.rawValue | Self.span) }
    mutating func end(_ span: MarkdownEvent.Span) { bytes.append(span.rawValue | Self.span | Self.leaving) }
    mutating func add(_ sign: MarkdownEvent.Text) { bytes.append(sign.rawValue | Self.sign) }

    /// - Parameter range: must begin at or after the end of the previous range.
    mutating func add(_ text: MarkdownEvent.Text, _ range: Range<Int>) {
        let start = max(range.lowerBound, last)
        guard start < range.upperBound else { return }
        bytes.append(text.rawValue | Self.text)
        add(start - last)
        add(range.upperBound - start)
        last = range.upperBound
    }

    private mutating func add(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    struct Position {
        fileprivate var index = 0
        fileprivate var last = 0
    }

    func next(_ position: inout Position) -> MarkdownEvent? {
        while position.index < bytes.count {
            let byte = bytes[position.index]
            position.index += 1
            if byte & Self.sign == Self.sign {
                if let sign = MarkdownEvent.Text(rawValue: byte & 0x1F) { return .sign(sign) }
            } else if byte & Self.text != 0 {
                let start = position.last + number(&position)
                position.last = start + number(&position)
                if let text = MarkdownEvent.Text(rawValue: byte & 0x1F) { return .text(text, start..<position.last) }
            } else if byte & Self.span != 0 {
                guard let span = MarkdownEvent.Span(rawValue: byte & 0x1F) else { continue }
                return byte & Self.leaving != 0 ? .end(span) : .begin(span)
            } else if let block = MarkdownEvent.Block(rawValue: byte & 0x1F) {
                return byte & Self.leaving != 0 ? .leave(block) : .enter(block, number(&position))
            }
        }
        return nil
    }

    private func number(_ position: inout Position) -> Int {
        var (value, shift) = (0, 0)
        while position.index < bytes.count, shift < 63 {
            let byte = bytes[position.index]
            position.index += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }
}

/// Records the events of the Markdown parser. Aborts parsing if the result would be far larger than the source.
final class MarkdownRecorder {
    var tape = MarkdownTape()
    private(set) var refusal: (reason: ScriptError.Reason, offset: Int)?
    private let source: MarkdownSource
    private let base: UInt
    private var anchor = MarkdownSource.Anchor()
    private var offset = 0
    /// The number of table cells, including those added to pad short rows.
    private var cells = 0
    /// The total size of link URLs and titles in bytes. Many links may use the same definition.
    private var addresses = 0

    /// - Parameter base: the memory address of the source text that the library parses.
    init(_ source: MarkdownSource, at base: UInt) {
        self.source = source
        self.base = base
    }

    func enter(_ block: MarkdownEvent.Block, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        var value = 0
        switch block {
        case .list: value = detail.map { $0.load(as: MD_BLOCK_UL_DETAIL.self).is_tight } == 0 ? 0 : 1
        case .numbered:
            let list = detail?.load(as: MD_BLOCK_OL_DETAIL.self)
            value = Int(list?.start ?? 1) * 2 + (list?.is_tight == 0 ? 0 : 1)
        case .heading: value = Int(detail?.load(as: MD_BLOCK_H_DETAIL.self).level ?? 1)
        case .cell, .headCell:
            cells += 1
            if cells > source.count + 100_000 { return refuse(.unexpected("|")) }
        default: break
        }
        tape.enter(block, value)
        return 0
    }

    func begin(_ span: MarkdownEvent.Span, _ detail: UnsafeMutableRawPointer?) -> Int32 {
        if span == .link || span == .image, let detail {
            // Both structs start with the same fields.
            let link = detail.load(as: MD_SPAN_A_DETAIL.self)
            addresses += Int(link.href.size) + Int(link.title.size)
            if addresses > 2 * source.count + (32 << 20) { return refuse(.unexpected("]")) }
        }
        tape.begin(span)
        return 0
    }

    func text(_ text: MarkdownEvent.Text, at start: UInt, count: Int) {
        guard count > 0, start >= base, start - base + UInt(count) <= UInt(source.count) else {
            return tape.add(text)
        }
        let first = source.offset(of: Int(start - base), &anchor)
        let last = source.offset(of: Int(start - base) + count - 1, &anchor)
        offset = max(first, min(last + 1, source.offset(of: Int(start - base) + count, &anchor)))
        tape.add(text, first..<offset)
    }

    private func refuse(_ reason: ScriptError.Reason) -> Int32 {
        refusal = (reason, offset)
        return -2
    }
}
