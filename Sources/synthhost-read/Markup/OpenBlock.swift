import SynthDocuments
import SynthSystem

/// A block whose text is still being read.
struct OpenBlock {
    let kind: Document.Block.Kind
    /// The line number in the document at which the block starts.
    let line: Int
    private(set) var text = ""
    private(set) var emphasis: [Range<Int>] = []
    private(set) var passages: [Document.Block.Passage] = []
    /// Whether all of the block's text describes images.
    private(set) var isPicture = true
    private var needsSpace = false
    private var needsBreak = false
    private var stressedFrom: Int?
    /// Open passages in other languages, innermost last.
    private var languages: [(language: String, from: Int)] = []
    /// Text to insert after the first letters of the next text, such as the mass number of an isotope.
    private var suffix: String?

    init(kind: Document.Block.Kind, line: Int) {
        self.kind = kind
        self.line = line
    }

    /// The length of the text in bytes.
    var count: Int { text.utf8.count }

    /// Whether the next text directly follows the current text, without a space.
    var isGlued: Bool { !text.isEmpty && !needsSpace && !needsBreak }

    /// Adds text. Replaces runs of white space with one space and removes white space at the beginning.
    mutating func add(_ part: String, isStressed: Bool, isPicture: Bool = false) {
        if !isStressed { endEmphasis() }
        if isPicture, !text.isEmpty { needsSpace = true }
        var rest = part[...]
        while let character = rest.first {
            // A run of visible ASCII characters is added in one go, which is much faster.
            let run = suffix == nil ? rest.utf8.prefix { (0x21...0x7E).contains($0) } : rest.utf8.prefix(0)
            guard run.isEmpty else {
                append(Substring(run), isStressed: isStressed)
                if !isPicture { self.isPicture = false }
                rest = rest[run.endIndex...]
                continue
            }
            rest.removeFirst()
            // All kinds of spaces are treated as the same character. Soft hyphens and zero-width characters are
            // dropped.
            if character.isWhitespace {
                needsSpace = !text.isEmpty
                endSuffix()
                continue
            }
            if character == "\u{AD}" || character == "\u{200B}" || character == "\u{FEFF}" || character == "\u{2060}" {
                continue
            }
            if suffix != nil, !character.isLetter { endSuffix() }
            append(String(character), isStressed: isStressed)
            if !isPicture { self.isPicture = false }
        }
        if isPicture { needsSpace = true }
    }

    private mutating func append(_ part: some StringProtocol, isStressed: Bool) {
        if needsBreak { text.append("\n") } else if needsSpace { text.append(" ") }
        (needsSpace, needsBreak) = (false, false)
        if isStressed, stressedFrom == nil { stressedFrom = count }
        text.append(contentsOf: part)
    }

    /// Ends a line.
    ///
    /// - Returns: false if the line is empty, which means that the text contains two consecutive line breaks.
    mutating func breakLine() -> Bool {
        endSuffix()
        if text.isEmpty { return true }
        defer { needsBreak = true }
        return !needsBreak
    }

    // MARK: - Superscripts and subscripts

    /// Adds an isotope's mass number: "14" before C becomes "C-14".
    mutating func add(massNumber number: String) { suffix = "-" + number }
    var hasMassNumber: Bool { suffix != nil }

    private mutating func endSuffix() {
        guard let added = suffix else { return }
        suffix = nil
        if !text.isEmpty { text += added }
    }

    // MARK: - Styles

    mutating func endEmphasis() {
        guard let from = stressedFrom else { return }
        stressedFrom = nil
        if from < count { emphasis.append(from..<count) }
    }

    mutating func beginPassage(_ language: String) { languages.append((language, count)) }

    mutating func endPassage() {
        guard let (language, from) = languages.popLast(), languages.isEmpty else { return }
        var (start, bytes) = (from, Array(text.utf8)[...])
        bytes = bytes.dropFirst(from)
        start += bytes.prefix { $0 == 0x20 || $0 == 0x0A }.count
        if start < count, passages.count < Self.maximumPassages {
            passages.append(.init(start..<count, language: language))
        }
    }

    /// The maximum number of passages in a block. Additional passages keep the voice of the surrounding text.
    private static let maximumPassages = 500

    /// Ends all open ranges.
    mutating func close() {
        endSuffix()
        endEmphasis()
        while !languages.isEmpty { endPassage() }
    }

    // MARK: - Lines

    /// The text with only those line feeds that affect speech. The length in bytes does not change.
    var lines: String {
        guard text.utf8.contains(0x0A) else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if case .heading = kind { return Self.heading(lines) }
        // Lines of hard-wrapped prose are long, and the next line often starts in lowercase.
        let wrapped = zip(lines, lines.dropFirst()).count { line, next in
            line.count >= Self.wrapped && next.first?.isLowercase == true
        }
        return lines.joined(separator: 2 * wrapped > lines.count - 1 ? " " : "\n")
    }

    /// The minimum number of characters in a wrapped line.
    private static let wrapped = 50

    /// Returns the text of a heading. "Chapter One" and its title remain on two lines; the lines of a long title are
    /// joined.
    private static func heading(_ lines: [Substring]) -> String {
        var text = ""
        for line in lines {
            if !text.isEmpty {
                let isWhole =
                    text.last.map { ".:!?".contains($0) } == true
                    || text.utf8.count <= 200 && PlainTextReader.heading([text]) != nil
                text += isWhole ? "\n" : " "
            }
            text += line
        }
        return text
    }
}

/// Selects the passages in other languages that are spoken by a different voice.
enum PassageChoice {
    /// The minimum number of words. Shorter passages keep the voice of the surrounding text.
    private static let shortest = 3

    /// Returns the passages that contain at least one complete sentence.
    static func sentences(_ passages: [Document.Block.Passage], in text: String) -> [Document.Block.Passage] {
        if passages.isEmpty { return [] }
        let bytes = Array(text.utf8)
        return passages.filter { passage in
            let own = String(decoding: bytes[passage.range], as: UTF8.self)
            if passage.range.count == bytes.count { return true }
            let words = own.split(whereSeparator: \.isWhitespace).count
            let isUnspaced = own.unicodeScalars.contains { $0.value >= 0x3000 } && own.count >= 4
            guard words >= shortest || isUnspaced else { return false }
            let before = String(decoding: bytes[..<passage.range.lowerBound].suffix(64), as: UTF8.self)
            let after = String(decoding: bytes[passage.range.upperBound...].prefix(8), as: UTF8.self)
            return begins(after: before) && (ends(own) || ends(after.prefix { !$0.isWhitespace }) || after.isEmpty)
        }
    }

    private static func begins(after text: String) -> Bool {
        guard let last = text.last(where: { !$0.isWhitespace && !"“”‘’\"'«»„(—–-".contains($0) }) else { return true }
        return ".!?…:;。！？".contains(last) || text.last == "\n"
    }

    private static func ends(_ text: some StringProtocol) -> Bool {
        text.last { !"”’»\")'“ ".contains($0) }.map { ".!?…。！？".contains($0) } ?? false
    }
}

extension Document.Block {
    /// Removes ranges of the text, along with one of the two spaces around each range.
    ///
    /// - Parameter ranges: byte ranges in order, without overlaps.
    mutating func remove(_ ranges: [Range<Int>]) {
        let bytes = Array(text.utf8)
        var cuts: [Range<Int>] = []
        for range in ranges where !range.isEmpty && range.upperBound <= bytes.count {
            let isSpaceBefore = range.lowerBound == 0 || bytes[range.lowerBound - 1] <= 0x20
            let isSpaceAfter = range.upperBound < bytes.count && bytes[range.upperBound] <= 0x20
            // Remove the space before a punctuation mark and at the end.
            let isClosed = range.upperBound == bytes.count || ".,;:!?)]".utf8.contains(bytes[range.upperBound])
            let takesBefore = isClosed && isSpaceBefore && range.lowerBound > 0
            let start = range.lowerBound - (takesBefore ? 1 : 0)
            let takesAfter = !takesBefore && isSpaceBefore && isSpaceAfter
            let cut = max(start, cuts.last?.upperBound ?? 0)..<range.upperBound + (takesAfter ? 1 : 0)
            cuts.append(cut)
        }
        // The number of bytes removed before each range.
        var sums = [0]
        for cut in cuts { sums.append((sums.last ?? 0) + cut.count) }
        func moved(_ position: Int) -> Int {
            let last = cuts.firstSortedIndex { $0.lowerBound >= position } - 1
            guard last >= 0 else { return position }
            return position - sums[last] - min(position - cuts[last].lowerBound, cuts[last].count)
        }
        var kept: [UInt8] = []
        var end = 0
        for cut in cuts {
            kept += bytes[end..<cut.lowerBound]
            end = cut.upperBound
        }
        text = String(decoding: kept + bytes[end...], as: UTF8.self)
        emphasis = emphasis.map { moved($0.lowerBound)..<moved($0.upperBound) }.filter { !$0.isEmpty }
        passages = passages.map {
            Passage(moved($0.range.lowerBound)..<moved($0.range.upperBound), language: $0.language)
        }
        .filter { !$0.range.isEmpty }
    }
}

extension String {
    /// Removes characters that satisfy the condition from both ends.
    func trimmed(_ isCut: (Character) -> Bool) -> String {
        let begun = drop(while: isCut)
        return String(
            begun.prefix(upTo: begun.lastIndex { !isCut($0) }.map { begun.index(after: $0) } ?? begun.startIndex))
    }
}
