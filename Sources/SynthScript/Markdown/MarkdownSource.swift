/// The text that the library parses. It is almost identical to the document, so positions in text events can be mapped
/// back to the document.
///
/// All differences are in unspoken parts: footnote markers, which the library does not support, are replaced with other
/// characters; the delimiter row of a table is written in the form that all versions of the library recognize, and an
/// empty line is added before the header; dashes in comments are replaced; and runs of three or more empty lines are
/// shortened to two. If a document needs none of these changes, it is not copied.
struct MarkdownSource {
    /// The anchor used for the last lookup. Positions are usually looked up in ascending order, so the next search
    /// starts here.
    struct Anchor { fileprivate var index = -1 }

    /// The maximum number of lines and markup characters. The library needs about 50 bytes for each.
    private static let maximumMarks = 4_000_000
    /// For each closing bracket, the library scans all preceding lines of the paragraph. This constant limits the
    /// number of scanned lines, summed over all brackets, so that parsing takes at most about two seconds.
    private static let maximumSteps = 4_000_000_000

    /// The length of the text in bytes.
    private(set) var count = 0
    /// The text. Empty while it is identical to the document.
    private var bytes: [UInt8] = []
    /// The document ranges of the markers at the start of footnote definitions.
    private(set) var notes: [Range<Int>] = []
    /// Maps offsets in the text, starting at `here`, to offsets in the document, starting at `source`.
    private var anchors: [(here: Int, source: Int)] = []
    private let start: Int

    private var marks = 0
    private var steps = 0
    /// The number of preceding lines in the current paragraph.
    private var lineCount = 0
    private var previous: MarkdownLine?
    private var hasTextBefore = false
    private var isInTable = false
    private var isInComment = false
    /// The position up to which the document has been searched without finding the end of a comment.
    private var unclosed = 0
    private var bullet: UInt8 = 0

    /// - Parameter start: the document offset at which the text begins.
    /// - Throws: `tooDeep`, `tooLong` or `unexpected` if parsing would need too much time or memory.
    init(_ document: Span<UInt8>, from start: Int) throws(ScriptError) {
        self.start = start
        var index = start
        while index < document.count {
            var line = MarkdownLine(at: index, of: document)
            line.copy = bytes.isEmpty ? index - start : bytes.count
            try check(line, document)
            add(line, document)
            index = line.next
        }
        // libmd4c 0.4.8 reads one byte beyond the end if the final line break is missing.
        if bytes.isEmpty, index > start, document[index - 1] != 0x0A { append(start..<index, of: document) }
        count = bytes.isEmpty ? document.count - start : bytes.count
        if !bytes.isEmpty { bytes += [UInt8](repeating: 0, count: 8) }
    }

    func withBytes<Result>(of document: Span<UInt8>, _ body: (UnsafeBufferPointer<CChar>) -> Result) -> Result {
        func call(_ text: UnsafeRawBufferPointer) -> Result { body(text.bindMemory(to: CChar.self)) }
        if bytes.isEmpty { return document.extracting(start..<document.count).withUnsafeBytes(call) }
        return bytes.withUnsafeBytes { call(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }

    /// Maps a byte offset in the text to the document.
    func offset(of index: Int, _ anchor: inout Anchor) -> Int {
        while anchor.index + 1 < anchors.count, anchors[anchor.index + 1].here <= index { anchor.index += 1 }
        while anchor.index >= 0, anchors[anchor.index].here > index { anchor.index -= 1 }
        guard anchor.index >= 0 else { return start + index }
        let (here, source) = anchors[anchor.index]
        let position = source + index - here
        return anchor.index + 1 < anchors.count ? min(position, anchors[anchor.index + 1].source) : position
    }

    /// Returns the end of the footnote marker, `[^name]`, that starts at a bracket, or nil if there is none.
    static func endOfNote(at bracket: Int, of document: Span<UInt8>, before end: Int) -> Int? {
        var index = bracket + 2
        guard index < end, document[bracket + 1] == UInt8(ascii: "^") else { return nil }
        let last = min(end, index + 1_000)
        while index < last {
            switch document[index] {
            case UInt8(ascii: "]"): return index > bracket + 2 ? index + 1 : nil
            case 0...0x20, UInt8(ascii: "["): return nil
            default: index += 1
            }
        }
        return nil
    }

    // MARK: Limits

    private mutating func check(_ line: MarkdownLine, _ document: Span<UInt8>) throws(ScriptError) {
        let depth = line.depth(in: document)
        guard depth <= MarkdownLine.deepest else {
            throw refusal(.tooDeep(limit: MarkdownLine.deepest), line, document)
        }
        guard !line.isBlank else { return lineCount = 0 }
        if line.beginsItem(document) { lineCount = 0 }
        marks += line.marks + 1
        steps += line.brackets * lineCount
        lineCount += 1
        guard marks <= Self.maximumMarks else { throw refusal(.tooLong(limit: line.range.lowerBound), line, document) }
        guard steps <= Self.maximumSteps else { throw refusal(.unexpected("]"), line, document) }
    }

    private func refusal(_ reason: ScriptError.Reason, _ line: MarkdownLine, _ document: Span<UInt8>) -> ScriptError {
        ScriptError(reason, at: ScriptPosition(of: line.range.lowerBound, in: document))
    }

    // MARK: Differences

    private mutating func add(_ line: MarkdownLine, _ document: Span<UInt8>) {
        var line = line
        defer {
            hasTextBefore = previous.map { !$0.isBlank } ?? false
            previous = line
        }
        guard !line.isBlank else {
            if let previous, previous.isBlank, !hasTextBefore { joinBlank(previous, before: line, document) }
            (isInTable, isInComment) = (false, false)
            return append(line, document)
        }
        if line.pipes == 0 { isInTable = false }
        if !isInTable, let previous, let columns = line.columns(below: previous, in: document) {
            isInTable = true
            let needsBlank = hasTextBefore && previous.bullet(document) == nil
            guard needsBlank || !columns.isPlain else { return append(line, document) }
            copy(before: line, document)
            if needsBlank { addBlank(before: previous, document) }
            line.copy = bytes.count
            return addRow(line, columns: columns.count, document)
        }
        append(line, document)
        if line.hasNote || line.hasComment || isInComment { copy(before: line, document, andLine: true) }
        if line.hasNote { coverNotes(line, document) }
        if line.hasComment || isInComment { coverComments(line, document) }
        if let sign = line.bullet(document) { bullet = sign }
    }

    private mutating func append(_ line: MarkdownLine, _ document: Span<UInt8>) {
        if !bytes.isEmpty { append(line.range.lowerBound..<line.next, of: document) }
    }

    private mutating func append(_ range: Range<Int>, of document: Span<UInt8>) {
        document.extracting(range).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Creates a copy of the text, unless one already exists.
    private mutating func copy(before line: MarkdownLine, _ document: Span<UInt8>, andLine: Bool = false) {
        guard bytes.isEmpty else { return }
        bytes.reserveCapacity(document.count - start + 64)
        append(start..<(andLine ? line.next : line.range.lowerBound), of: document)
    }

    /// In a run of more than two empty lines, joins all lines after the first into a single line of spaces.
    private mutating func joinBlank(_ blank: MarkdownLine, before line: MarkdownLine, _ document: Span<UInt8>) {
        copy(before: line, document)
        for index in blank.copy + blank.range.count..<bytes.count { bytes[index] = 0x20 }
    }

    /// Inserts an empty line with the same quotation markers before a line.
    private mutating func addBlank(before line: MarkdownLine, _ document: Span<UInt8>) {
        var blank = document.bytes(of: line.range.lowerBound..<line.start)
        // If the previous line ends with a carriage return alone, do not add a line feed, because the two would form a
        // single line break.
        blank.append(line.copy > 0 && bytes[line.copy - 1] == 0x0D ? 0x0D : 0x0A)
        bytes.insert(contentsOf: blank, at: line.copy)
        if let last = anchors.last, last.here >= line.copy { anchors.removeLast() }
        anchors.append((line.copy + blank.count, line.range.lowerBound))
    }

    private mutating func addRow(_ line: MarkdownLine, columns: Int, _ document: Span<UInt8>) {
        append(line.range.lowerBound..<line.start, of: document)
        anchors.append((bytes.count, line.start))
        bytes.append(UInt8(ascii: "|"))
        for _ in 0..<columns { bytes += "---|".utf8 }
        anchors.append((bytes.count, line.range.upperBound))
        append(line.range.upperBound..<line.next, of: document)
    }

    /// Replaces the footnote markers in a line. A definition becomes a list item, whose continuation lines have the
    /// same indentation.
    private mutating func coverNotes(_ line: MarkdownLine, _ document: Span<UInt8>) {
        var index = line.start
        var isEscaped = false
        while index < line.range.upperBound {
            let byte = document[index]
            guard !isEscaped, byte == UInt8(ascii: "["),
                let end = Self.endOfNote(at: index, of: document, before: line.range.upperBound)
            else {
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                index += 1
                continue
            }
            let here = line.copy + index - line.range.lowerBound
            for position in here..<here + end - index { bytes[position] = UInt8(ascii: "^") }
            if index == line.start, end < line.range.upperBound, document[end] == UInt8(ascii: ":") {
                bytes[here] = bullet == UInt8(ascii: "+") ? UInt8(ascii: "*") : UInt8(ascii: "+")
                for position in here + 1..<here + 4 { bytes[position] = 0x20 }
                bytes[here + end - index] = UInt8(ascii: "^")
                notes.append(index..<end + 1)
            }
            index = end
        }
    }

    /// Replaces dashes in comments, because some versions of the library do not treat dashes as part of a comment.
    private mutating func coverComments(_ line: MarkdownLine, _ document: Span<UInt8>) {
        var index = line.start
        let end = line.range.upperBound
        func has(_ text: StaticString) -> Bool { document.has(text, at: index) }
        while index < end {
            let here = line.copy + index - line.range.lowerBound
            if isInComment {
                if has("-->") {
                    isInComment = false
                    index += 3
                    continue
                }
                if document[index] == UInt8(ascii: "-"), index > line.start, !line.isOfDashes {
                    bytes[here] = UInt8(ascii: "x")
                }
            } else if has("<!-->") || has("<!--->") {
                // This byte causes the library to parse the comment as a tag.
                bytes[here + 1] = UInt8(ascii: "a")
                index += 4
            } else if has("<!--"), isClosed(from: index + 4, document) {
                isInComment = true
                index += 3
            }
            index += 1
        }
    }

    /// Whether a comment ends before the next empty line.
    private mutating func isClosed(from start: Int, _ document: Span<UInt8>) -> Bool {
        guard start >= unclosed else { return false }
        var index = start
        while index < document.count {
            if document.has("-->", at: index) { return true }
            if document.has("\n\n", at: index) || document.has("\r\n\r\n", at: index) { break }
            index += 1
        }
        unclosed = index
        return false
    }
}

extension Span<UInt8> {
    func bytes(of range: Range<Int>) -> [UInt8] { extracting(range).withUnsafeBufferPointer { Array($0) } }

    func has(_ text: StaticString, at index: Int) -> Bool {
        guard index >= 0, index + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { bytes in bytes.indices.allSatisfy { bytes[$0] == self[index + $0] } }
    }
}
