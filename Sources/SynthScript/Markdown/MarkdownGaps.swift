/// Finds the positions of line breaks, item numbers, thematic breaks and table bars, which the library does not report.
/// Searches the source between consecutive text events.
struct MarkdownGaps {
    /// A space to insert before the next text.
    enum Space {
        /// A break whose position is not known yet.
        case open(MarkdownEvent.Text)
        case at(Range<Int>)
    }

    private enum Mark {
        case number(Int)
        case rule
    }

    /// The end of the most recent text.
    var end: Int
    /// The most recent thematic break.
    var rule: Range<Int>?
    /// The most recent vertical bar of a table.
    var bar: Int?
    private let start: Int
    private var marks: [Mark] = []
    private var number = MarkdownText()
    /// The ranges of the footnote markers.
    private let notes: [Range<Int>]
    private var nextNote = 0

    init(from start: Int, notes: [Range<Int>]) {
        (self.start, self.notes, end) = (start, notes, start)
    }

    // MARK: Markers

    /// Whether an unspoken character directly precedes the text: a backslash that escapes its first character, or the
    /// angle bracket before a URL.
    func `is`(_ sign: StaticString, before index: Int, in document: Span<UInt8>) -> Bool {
        index > end && document.has(sign, at: index - 1)
    }

    /// Returns the position of the next NUL character.
    func zero(in document: Span<UInt8>) -> Range<Int> {
        var index = end
        while index < document.count, document[index] != 0 { index += 1 }
        return index < document.count ? index..<index + 1 : end..<end
    }

    /// Returns the footnote marker at the start of the text.
    mutating func note(in range: Range<Int>) -> Range<Int>? {
        while nextNote < notes.count, notes[nextNote].upperBound <= range.lowerBound { nextNote += 1 }
        return nextNote < notes.count && notes[nextNote].overlaps(range) ? notes[nextNote] : nil
    }

    /// Returns the range of the line break before the text.
    func line(_ sign: MarkdownEvent.Text, before next: Int, in document: Span<UInt8>) -> Range<Int> {
        var last = next
        while last > end, document[last - 1] != 0x0A, document[last - 1] != 0x0D { last -= 1 }
        guard last > end else { return next..<next }
        var first = last - 1
        if first > end, document[first] == 0x0A, document[first - 1] == 0x0D { first -= 1 }
        // Spaces in code are preserved.
        if sign == .code { return first..<last }
        if sign == .hardBreak, first > end, document[first - 1] == UInt8(ascii: "\\") {
            first -= 1
        } else {
            while first > end, document[first - 1] == 0x20 || document[first - 1] == 0x09 { first -= 1 }
        }
        while last < next, document[last] == 0x20 || document[last] == 0x09 || document[last] == UInt8(ascii: ">") {
            last += 1
        }
        return first..<last
    }

    mutating func findBar(before next: Int, in document: Span<UInt8>) {
        bar = nil
        var index = next
        while index > end, bar == nil {
            index -= 1
            if document[index] == UInt8(ascii: "|") { bar = index }
        }
    }

    // MARK: Numbers and thematic breaks

    mutating func expectNumber(_ number: Int) { marks.append(.number(number)) }
    mutating func expectRule() { marks.append(.rule) }

    /// Discards the numbers of list items that have no text.
    mutating func forgetNumbers() {
        number = MarkdownText()
        marks.removeAll { if case .number = $0 { true } else { false } }
    }

    mutating func takeNumber() -> MarkdownText {
        defer { number = MarkdownText() }
        return number
    }

    /// Skips the line of dashes or equals signs below a heading. Dashes could otherwise be taken for a thematic break.
    mutating func passUnderline(of document: Span<UInt8>) {
        var index = end
        while index > start, document[index - 1] != 0x0A, document[index - 1] != 0x0D { index -= 1 }
        while index < end, " \t>".utf8.contains(document[index]) { index += 1 }
        guard !document.has("#", at: index), end < document.count else { return }
        let line = MarkdownLine(at: end, of: document)
        guard line.next < document.count else { return }
        let next = MarkdownLine(at: line.next, of: document)
        if document.has("-", at: next.start) || document.has("=", at: next.start) { end = next.range.upperBound }
    }

    /// Finds the item numbers and thematic breaks before the text at `next`.
    mutating func findMarks(before next: Int, in document: Span<UInt8>) {
        guard !marks.isEmpty else { return }
        var found = 0
        var index = end
        if index > start {
            while index < next, document[index - 1] != 0x0A, document[index - 1] != 0x0D { index += 1 }
        }
        while found < marks.count, index < next {
            index = findMarks(at: index, before: next, &found, document)
        }
        for mark in marks[found...] { take(mark, at: next..<next, document) }
        marks.removeAll(keepingCapacity: true)
    }

    /// - Returns: the end of the line.
    private mutating func findMarks(
        at start: Int, before next: Int, _ found: inout Int, _ document: Span<UInt8>
    ) -> Int {
        let line = MarkdownLine(at: start, of: document)
        let end = min(line.range.upperBound, next)
        var index = line.start
        while index < end, found < marks.count {
            if case .rule = marks[found], isRule(index..<line.range.upperBound, document) {
                take(marks[found], at: index..<document.lastVisible(index..<line.range.upperBound), document)
                found += 1
                break
            }
            var marker = index
            while marker < end, (0x30...0x39).contains(document[marker]) { marker += 1 }
            let isNumber = marker > index
            guard marker < end, (isNumber ? ".)" : "-+*").utf8.contains(document[marker]) else { break }
            marker += 1
            guard marker >= line.range.upperBound || document[marker] == 0x20 || document[marker] == 0x09 else { break }
            if isNumber, case .number = marks[found] {
                take(marks[found], at: index..<marker, document)
                found += 1
            }
            index = marker
            while index < end, " \t>".utf8.contains(document[index]) { index += 1 }
        }
        return line.next
    }

    private func isRule(_ range: Range<Int>, _ document: Span<UInt8>) -> Bool {
        guard let sign = range.first.map({ document[$0] }), "-*_".utf8.contains(sign) else { return false }
        var count = 0
        for index in range where document[index] != 0x20 && document[index] != 0x09 {
            guard document[index] == sign else { return false }
            count += 1
        }
        return count >= 3
    }

    private mutating func take(_ mark: Mark, at location: Range<Int>, _ document: Span<UInt8>) {
        guard case .number(let number) = mark else { return rule = location }
        let sign = location.isEmpty ? UInt8(ascii: ".") : document[location.upperBound - 1]
        let said = Array(String(number).utf8) + [sign]
        if !location.isEmpty, said == document.bytes(of: location) {
            self.number.mapped.append(copied: location, of: document)
        } else {
            self.number.append(said, insteadOf: location)
        }
        self.number.mapped.append(" ", for: location.upperBound..<location.upperBound)
    }
}

extension Span<UInt8> {
    /// Returns the end of the range, excluding trailing spaces and tabs.
    func lastVisible(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return end
    }
}
