package import SynthDocuments
import SynthScript
package import SynthSpeech
import SynthSystem

/// Converts a document's blocks into a script. Adds pauses between headings, paragraphs and list items, and after lines
/// of verse. Code is announced but not read.
package struct DocumentScript: Sendable {
    /// The blocks' text in UTF-8, separated by empty lines. The script's positions refer to this text.
    package private(set) var text: [UInt8] = []
    /// The range of each block in `text`, in order. For code, it is the range of the announcement.
    package private(set) var blockRanges: [Range<Int>] = []
    private var parts: [ScriptPart] = []
    private var pause: PauseKind?
    /// The position of a longer pause before the next part.
    private var silence: Range<Int>?
    /// Whether the previous block was code that has already been announced.
    private var isCode = false
    private var isInList = false
    private let words: DocumentWords
    private let languages: DocumentLanguages

    /// The pause between scenes and between chapters.
    private static let silenceLength = Duration.milliseconds(1_500)

    /// - Parameter continuesChapter: whether other blocks of the chapter precede these blocks. If so, these blocks may begin with a scene
    ///   break.
    package init(
        _ chapters: [ArraySlice<Document.Block>], _ languages: DocumentLanguages, continuesChapter: Bool = false
    ) {
        words = DocumentWords(language: languages.main)
        self.languages = languages
        for (index, blocks) in chapters.enumerated() {
            if index > 0 { rest() }
            for block in blocks { add(block, mayRest: continuesChapter || !parts.isEmpty) }
        }
        if let pause { parts.append(.end(pause)) }
    }

    package var script: SpokenScript { SpokenScript(document: text, parts: parts) }

    /// Maps a range in `text` to the byte range in a block's own text. The result is empty if the range is outside the block.
    ///
    /// - Parameter block: the block's index across all chapters, starting at 0.
    package func text(of range: Range<Int>, in block: Document.Block, at index: Int) -> Range<Int> {
        let location = blockRanges[index]
        let inside = range.clamped(to: location)
        guard !inside.isEmpty else { return 0..<0 }
        if block.kind == .code { return 0..<block.text.utf8.count }
        return inside.lowerBound - location.lowerBound..<inside.upperBound - location.lowerBound
    }

    /// The index of the block that contains the start of a range of `text`, or nil if there is none.
    package func block(with range: Range<Int>) -> Int? {
        let found = blockRanges.firstSortedIndex { $0.upperBound > max(range.lowerBound, 0) }
        return found < blockRanges.count && blockRanges[found].overlaps(range) ? found : nil
    }

    // MARK: - Blocks

    private mutating func rest() { silence = text.count..<text.count }

    private mutating func add(_ block: Document.Block, mayRest: Bool) {
        defer { isCode = block.kind == .code }
        let isItem = if case .item = block.kind { true } else { false }
        if isInList, !isItem, pause == .sentence { pause = .paragraph }
        isInList = isItem
        switch block.kind {
        case .scene:
            if mayRest { rest() }
            blockRanges.append(text.count..<text.count)
        case .code where isCode: blockRanges.append(text.count..<text.count)
        case .code: say(words.code, of: nil, then: .paragraph)
        case .heading: say(block.text, of: block, then: .heading)
        case .item: say(block.text, of: block, then: .sentence)
        case .paragraph, .row, .figure: say(block.text, of: block, then: .paragraph)
        }
    }

    private mutating func say(_ said: String, of block: Document.Block?, then end: PauseKind) {
        if !text.isEmpty { text += Array("\n\n".utf8) }
        let start = text.count
        text += Array(said.utf8)
        blockRanges.append(start..<text.count)
        guard start < text.count else { return }
        if let pause { parts.append(.end(pause)) }
        if let silence { parts.append(.silence(Self.silenceLength, source: silence)) }
        (pause, silence) = (end, nil)
        var number: String?
        if case .item(_, let own?) = block?.kind { number = "\(own). " }
        for (line, range) in Self.lines(text[start...]).enumerated() {
            if line > 0 { parts.append(.end(.sentence)) }
            for (piece, language) in languages.pieces(of: block, range.lowerBound - start..<range.upperBound - start) {
                var mapped = MappedText()
                if let own = number { mapped.append(own, for: start..<start) }
                number = nil
                mapped.append(copied: piece.lowerBound + start..<piece.upperBound + start, of: text.span)
                parts.append(
                    .text(ScriptText(mapped.text, source: mapped.source, style: ScriptStyle(language: language))))
            }
        }
    }

    /// The non-empty lines.
    private static func lines(_ text: ArraySlice<UInt8>) -> [Range<Int>] {
        text.split(separator: UInt8(ascii: "\n")).map { $0.startIndex..<$0.endIndex }
    }
}

/// Determines which passages are spoken in a different language from the narrator's.
package struct DocumentLanguages: Equatable, Sendable {
    /// The document's language (BCP 47), or nil if it is unknown.
    package let main: String?
    /// Whether the user chose the narrator's voice or language. If so, it applies to the entire document.
    package let isFixed: Bool

    package init(_ main: String?, isFixed: Bool = false) {
        self.main = main
        self.isFixed = isFixed
    }

    /// Splits a range of a block's text into segments, each in a single language. nil means the narrator's language.
    func pieces(of block: Document.Block?, _ range: Range<Int>) -> [(range: Range<Int>, language: String?)] {
        guard let block else { return [(range, nil)] }
        let whole = other(block.language) ?? han(block)
        guard !isFixed, !block.passages.isEmpty else { return [(range, whole)] }
        var pieces: [(range: Range<Int>, language: String?)] = []
        var start = range.lowerBound
        for passage in block.passages {
            let inside = passage.range.clamped(to: range)
            guard !inside.isEmpty else { continue }
            if start < inside.lowerBound { pieces.append((start..<inside.lowerBound, whole)) }
            let language =
                LanguageTag.primary(passage.language) == main.map(LanguageTag.primary) ? nil : passage.language
            pieces.append((inside, language))
            start = inside.upperBound
        }
        if start < range.upperBound { pieces.append((start..<range.upperBound, whole)) }
        return pieces
    }

    private func other(_ language: String?) -> String? {
        guard !isFixed, let language, LanguageTag.primary(language) != main.map(LanguageTag.primary) else { return nil }
        return ["", "und", "mul", "zxx", "mis"].contains(LanguageTag.primary(language)) ? nil : language
    }

    /// The language for text that contains only Chinese characters. In a Japanese document, such text is assumed to be
    /// Japanese, even if the user chose a voice for a different language.
    private func han(_ block: Document.Block) -> String? {
        guard isFixed, let main, LanguageTag.primary(main) == "ja" else { return nil }
        let isHan = block.text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
        return isHan ? "ja" : nil
    }
}
