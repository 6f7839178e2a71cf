import SynthBooks
import SynthDocuments
import SynthScript
import SynthHost
import SynthSystem
import SynthTerminal

/// A position in a text: a block, and a byte offset into the block's text.
struct ReadPosition: Comparable, Hashable, Codable, Sendable {
    /// The index of the block among the blocks of all chapters.
    var block: Int
    var byte = 0

    static func < (one: ReadPosition, other: ReadPosition) -> Bool {
        (one.block, one.byte) < (other.block, other.byte)
    }
}

/// A document with its sentences, paragraphs and chapters. Blocks are split into sentences on demand, by the same
/// rules as in speech synthesis.
struct ReadText: Sendable {
    struct Chapter: Equatable, Sendable {
        let title: String
        /// The level in the table of contents, starting from 1.
        let level: Int
        /// The index of the first block.
        let start: Int
    }

    let title: String
    let chapters: [Chapter]
    let blocks: [Document.Block]
    /// A digest of the text or of its file, used as a file name. Copying or renaming a file does not change its digest.
    let digest: String
    /// Whether this is the entire text. False if only its beginning has been read.
    let isWhole: Bool
    private let languages: DocumentLanguages
    /// For each block, the number of bytes from the start of the text to the end of the block.
    private let ends: [Int]
    /// A cache of the sentences of recently used blocks.
    private let found = Monitor<[(block: Int, sentences: [Range<Int>])]>([])
    private static let maximumCachedBlocks = 8

    /// - Parameters:
    ///   - name: the title if the document has none.
    ///   - chapters: the chapters, with their numbers in the document.
    ///   - digest: the digest of the file, or nil to compute the digest from the text.
    init(
        title: String?, name: String, _ chapters: [(number: Int, chapter: Document.Chapter)],
        _ languages: DocumentLanguages, _ localized: PhraseBook = .english, digest known: String? = nil,
        isWhole: Bool = true
    ) {
        self.isWhole = isWhole
        self.title = title ?? name
        self.languages = languages
        var (list, all): ([Chapter], [Document.Block]) = ([], [])
        for (number, chapter) in chapters where !chapter.blocks.isEmpty {
            let title = chapter.title ?? (chapters.count == 1 ? title ?? name : localized("Chapter \(number)"))
            list.append(Chapter(title: title, level: max(1, chapter.level ?? 1), start: all.count))
            all += chapter.blocks.flatMap(Self.pieces)
        }
        var (end, digest) = (0, TextDigest())
        self.chapters = list
        blocks = all
        ends = all.map { block in
            if known == nil { digest.add(block.text.utf8) }
            end += block.text.utf8.count
            return end
        }
        self.digest = known ?? digest.words
    }

    /// Whether all positions and chapter numbers in `beginning` have the same meaning in this text.
    func extends(_ beginning: ReadText) -> Bool {
        languages == beginning.languages && blocks.count >= beginning.blocks.count
            && chapters.filter { $0.start < beginning.blocks.count } == beginning.chapters
            && zip(beginning.blocks, blocks).allSatisfy { $0.kind == $1.kind && $0.text == $1.text }
    }

    /// The size of the text in bytes.
    var count: Int { ends.last ?? 0 }

    func offset(of place: ReadPosition) -> Int {
        guard place.block < ends.count else { return count }
        return (place.block > 0 ? ends[place.block - 1] : 0) + place.byte
    }

    /// The start of the sentence that contains this byte of the text.
    func sentence(at offset: Int) -> ReadPosition {
        let offset = min(max(offset, 0), count)
        let block = min(ends.firstSortedIndex { $0 > offset }, max(0, blocks.count - 1))
        return sentence(ReadPosition(block: block, byte: offset - self.offset(of: ReadPosition(block: block))))
    }

    /// The index of the chapter that contains a block.
    func chapter(of block: Int) -> Int {
        max(0, (chapters.firstIndex { $0.start > block } ?? chapters.count) - 1)
    }

    // MARK: - Sentences

    /// The byte ranges of the sentences in the text of a block. Empty if the block contains nothing to speak.
    func sentences(of block: Int) -> [Range<Int>] {
        if let known = found.read({ $0.first { $0.block == block }?.sentences }) { return known }
        let sentences = cut(block)
        found.update { found in
            found.insert((block, sentences), at: 0)
            if found.count > Self.maximumCachedBlocks { found.removeLast() }
        }
        return sentences
    }

    private func cut(_ block: Int) -> [Range<Int>] {
        guard blocks.indices.contains(block), !blocks[block].text.isEmpty else { return [] }
        let script = DocumentScript([[blocks[block]]], languages)
        guard let source = try? ScriptSource(script.script) else { return [] }
        var sentences: [Range<Int>] = []
        while let step = try? source.next() {
            guard let utterance = step.utterance else { continue }
            let range = script.text(of: utterance.sourceRange, in: blocks[block], at: 0)
            if !range.isEmpty { sentences.append(range) }
        }
        return sentences
    }

    /// Returns the start of the sentence that contains the given position. If there is none, returns the start of the
    /// next sentence or, failing that, of the last sentence.
    func sentence(_ place: ReadPosition) -> ReadPosition {
        if let range = range(of: place) { return ReadPosition(block: place.block, byte: range.lowerBound) }
        return self.after(place) ?? before(place) ?? place
    }

    /// Returns the byte range of the sentence that contains the given position, or nil if the block contains nothing to
    /// speak.
    func range(of place: ReadPosition) -> Range<Int>? {
        let sentences = sentences(of: place.block)
        return sentences.last { $0.lowerBound <= place.byte } ?? sentences.first
    }

    /// Returns the start of the first sentence that begins after the given position, or nil if there is none.
    func after(_ place: ReadPosition) -> ReadPosition? {
        if let next = sentences(of: place.block).first(where: { $0.lowerBound > place.byte }) {
            return ReadPosition(block: place.block, byte: next.lowerBound)
        }
        return firstSentence(from: place.block + 1)
    }

    /// Returns the start of the last sentence that begins before the given position, or nil if there is none.
    func before(_ place: ReadPosition) -> ReadPosition? {
        var block = min(place.block, blocks.count - 1)
        while block >= 0 {
            let limit = block == place.block ? place.byte : .max
            if let last = sentences(of: block).last(where: { $0.lowerBound < limit }) {
                return ReadPosition(block: block, byte: last.lowerBound)
            }
            block -= 1
        }
        return nil
    }

    /// Returns the start of the first sentence in this block or a later one, or nil if there is none.
    func firstSentence(from block: Int) -> ReadPosition? {
        var block = block
        while block < blocks.count {
            if let first = sentences(of: block).first { return ReadPosition(block: block, byte: first.lowerBound) }
            block += 1
        }
        return nil
    }

    /// Returns the start of the paragraph that contains the sentence before the given position, or nil at the start of
    /// the text.
    func paragraph(before place: ReadPosition) -> ReadPosition? {
        guard let sentence = before(place) else { return nil }
        return firstSentence(from: sentence.block)
    }

    /// Finds the next sentence that contains the words, ignoring case, and wraps around at the end of the text. Returns
    /// the start of the sentence, or nil if there is no match.
    func find(_ words: String, after place: ReadPosition) -> ReadPosition? {
        let wanted = words.lowercased()
        guard !wanted.isEmpty, !blocks.isEmpty else { return nil }
        for step in 0...blocks.count {
            let block = (place.block + step) % blocks.count
            guard blocks[block].text.lowercased().contains(wanted) else { continue }
            let text = blocks[block].text
            let hits = sentences(of: block).filter { Self.part($0, of: text).lowercased().contains(wanted) }
            let fresh = step == 0 ? hits.filter { $0.lowerBound > place.byte } : hits
            if let hit = fresh.first { return ReadPosition(block: block, byte: hit.lowerBound) }
        }
        return nil
    }

    /// The substring with this byte range.
    static func part(_ range: Range<Int>, of text: String) -> String {
        String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }

    /// The sentence at a position, on a single line.
    func words(at place: ReadPosition) -> String {
        guard let range = range(of: place) else { return "" }
        return Self.part(range, of: blocks[place.block].text).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }

    // MARK: - Scripts

    /// A segment of the text: a script made of consecutive blocks of one chapter.
    struct Piece: Sendable {
        let script: DocumentScript
        let first: ReadPosition
        /// The start of the next segment, or nil at the end of the text.
        let next: ReadPosition?
        /// Whether `next` is the start of a chapter.
        let endsChapter: Bool

        /// Maps a range of the script to a block and a byte range in its text. Returns nil if the range belongs to no block.
        func place(of range: Range<Int>) -> (block: Int, range: Range<Int>)? {
            guard let index = script.block(with: range) else { return nil }
            let (start, end) = (script.blockRanges[index].lowerBound, script.blockRanges[index].upperBound)
            let inside = range.clamped(to: start..<end)
            // If the script starts in the middle of the first block, its offsets do not include the skipped bytes.
            let lost = index == 0 ? first.byte : 0
            return (first.block + index, inside.lowerBound - start + lost..<inside.upperBound - start + lost)
        }
    }

    /// The maximum size of a segment, in bytes and in blocks. Because of this limit, speech starts as quickly in a long
    /// chapter as in a short one.
    private static let maximumBytes = 20_000
    private static let maximumBlocks = 100

    /// The segment that starts at a sentence, or nil at the end of the text.
    func piece(from place: ReadPosition) -> Piece? {
        guard blocks.indices.contains(place.block) else { return nil }
        let chapter = chapter(of: place.block)
        let end = chapter + 1 < chapters.count ? chapters[chapter + 1].start : blocks.count
        var (last, bytes) = (place.block, 0)
        while last < end, last - place.block < Self.maximumBlocks, last == place.block || bytes < Self.maximumBytes {
            bytes += blocks[last].text.utf8.count
            last += 1
        }
        let next = last < blocks.count ? ReadPosition(block: last) : nil
        return Piece(
            script: DocumentScript([cut(place.block..<last, from: place.byte)], languages, continuesChapter: true),
            first: place, next: next, endsChapter: last == end)
    }

    /// The text from a position to the end as a script, with pauses between chapters.
    func rest(from place: ReadPosition) -> SpokenScript {
        let chapter = chapter(of: place.block)
        var parts = [cut(place.block..<end(of: chapter), from: place.byte)]
        for index in chapters.indices.dropFirst(chapter + 1) {
            parts.append(blocks[chapters[index].start..<end(of: index)])
        }
        return DocumentScript(parts, languages).script
    }

    private func end(of chapter: Int) -> Int {
        chapter + 1 < chapters.count ? chapters[chapter + 1].start : blocks.count
    }

    /// The blocks in a range. The first block omits the text before `byte`.
    private func cut(_ range: Range<Int>, from byte: Int) -> ArraySlice<Document.Block> {
        var slice = blocks[range]
        guard byte > 0, let first = slice.first else { return slice }
        slice[slice.startIndex] = Self.part(byte..<max(byte, first.text.utf8.count), of: first)
        return slice
    }

    /// A copy of the block with only this byte range of its text.
    private static func part(_ range: Range<Int>, of whole: Document.Block) -> Document.Block {
        var block = whole
        block.text = part(range, of: whole.text)
        block.emphasis = []
        block.passages = whole.passages.compactMap { passage in
            let part = passage.range.clamped(to: range)
            let start = range.lowerBound
            return part.isEmpty
                ? nil : .init(part.lowerBound - start..<part.upperBound - start, language: passage.language)
        }
        if range.lowerBound > 0, case .item(let depth, _) = whole.kind { block.kind = .item(depth: depth, number: nil) }
        return block
    }

    // MARK: - Long blocks

    /// The maximum size of a block in bytes. A block is split into sentences as a whole, which would be slow for a long text
    /// without paragraphs.
    private static let longestBlock = 16_000

    /// Splits a block that is too long, at the ends of sentences if possible.
    private static func pieces(of block: Document.Block) -> [Document.Block] {
        guard block.text.utf8.count > longestBlock else { return [block] }
        let bytes = Array(block.text.utf8)
        var (pieces, start) = ([Document.Block](), 0)
        while start < bytes.count {
            let end = bytes.count - start <= longestBlock ? bytes.count : cut(bytes, from: start)
            pieces.append(part(start..<end, of: block))
            start = end
        }
        return pieces
    }

    /// The best offset for a split, between half the maximum size and the maximum size.
    private static func cut(_ bytes: [UInt8], from start: Int) -> Int {
        func isSpace(_ index: Int) -> Bool { bytes[index] == 0x20 || bytes[index] == 0x0A }
        // The longest sentence terminator has three bytes.
        let places = (start + longestBlock / 2...start + longestBlock - 3).reversed()
        let ends = [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")]
        if let end = places.first(where: { isSpace($0) && ends.contains(bytes[$0 - 1]) }) { return end + 1 }
        // No space follows an ideographic full stop.
        if let end = places.first(where: { bytes[$0...].starts(with: [0xE3, 0x80, 0x82]) }) { return end + 3 }
        if let space = places.first(where: isSpace) { return space + 1 }
        return places.first { bytes[$0] & 0xC0 != 0x80 } ?? start + longestBlock
    }
}
