import SynthEngineWire

/// An indivisible unit of a subtitle: a word with its punctuation, or a character in a script without spaces.
struct SubtitleUnit: Equatable {
    /// The text without leading and trailing spaces. Never empty.
    var text: String
    var frames: Range<UInt64>
    /// Whether a space precedes the unit if it does not start a line.
    var hasSpace: Bool
    /// The cost of a break after the unit, which is 0 at the end of a sentence.
    var cost: Double
    var columns: Int

    /// The maximum line length in columns.
    static let maximumColumns = 42

    /// Splits a sentence into units. If the times of the units are unknown, the duration is divided in proportion to
    /// the length of the text.
    static func units(of sentence: RecognizedText) -> [SubtitleUnit] {
        var units: [SubtitleUnit] = []
        var isSpaced = false
        for piece in pieces(of: sentence) {
            let parts = split(piece.text, isSpaced)
            if !piece.text.isEmpty { isSpaced = piece.text.last?.isWhitespace ?? false }
            let columns = parts.map { max(1, Self.columns(of: $0.text)) }
            let whole = Double(columns.reduce(0, +))
            var done = 0
            for (part, width) in zip(parts, columns) {
                func frame(_ columns: Int) -> UInt64 {
                    piece.frames.lowerBound + UInt64(Double(columns) / whole * Double(piece.frames.count))
                }
                units.append(
                    SubtitleUnit(
                        text: part.text, frames: frame(done)..<max(frame(done), frame(done + width)),
                        hasSpace: part.hasSpace, cost: 0, columns: width))
                done += width
            }
        }
        // Append a unit that must not begin a line to the previous unit.
        units = units.reduce(into: []) { kept, unit in
            if let last = kept.last, !unit.hasSpace, isTail(unit.text), last.columns + unit.columns <= maximumColumns {
                kept[kept.count - 1].text += unit.text
                kept[kept.count - 1].columns += unit.columns
                kept[kept.count - 1].frames =
                    last.frames.lowerBound..<max(last.frames.upperBound, unit.frames.upperBound)
            } else {
                kept.append(unit)
            }
        }
        for index in units.indices {
            let next = units.indices.contains(index + 1) ? units[index + 1] : nil
            units[index].cost = cost(after: units[index].text, before: next?.text, hasSpace: next?.hasSpace ?? true)
        }
        if !units.isEmpty { units[units.count - 1].cost = 0 }
        return units
    }

    /// Returns the ranges of the text whose times are known: from each word to the next or, if word times are unknown,
    /// the entire text.
    private static func pieces(of sentence: RecognizedText) -> [(text: Substring, frames: Range<UInt64>)] {
        let text = sentence.text
        let words = sentence.words.filter { !$0.text.isEmpty }
        guard !words.isEmpty else { return [(text[...], sentence.frames)] }
        let starts = [0] + words.dropFirst().map(\.text.lowerBound) + [text.utf8.count]
        var latest = sentence.frames.lowerBound
        return words.enumerated().map { index, word in
            let from = text.utf8.index(text.startIndex, offsetBy: starts[index])
            let to = text.utf8.index(text.startIndex, offsetBy: max(starts[index], starts[index + 1]))
            let begin = max(latest, word.frames.lowerBound)
            latest = max(begin, word.frames.upperBound)
            return (text[from..<to], begin..<latest)
        }
    }

    /// Splits text at spaces, between the characters of scripts without spaces, and within words that are too long for
    /// a line.
    ///
    /// - Parameter wasSpaced: whether a space precedes the text.
    private static func split(_ text: Substring, _ wasSpaced: Bool) -> [(text: String, hasSpace: Bool)] {
        var parts: [(text: String, hasSpace: Bool)] = []
        var (part, columns, isSpaced) = ("", 0, wasSpaced)
        func end() {
            if !part.isEmpty { parts.append((part, isSpaced)) }
            (part, columns, isSpaced) = ("", 0, false)
        }
        for character in text {
            if character.isWhitespace {
                end()
                isSpaced = true
                continue
            }
            let width = Self.columns(of: character)
            let isFree = character.needsNoSpace && !noBegin.contains(character)
            let wasFree = part.last.map { $0.needsNoSpace && !noEnd.contains($0) } ?? false
            let mayBreak =
                isFree && part.last.map { !noEnd.contains($0) } ?? false || wasFree && !noBegin.contains(character)
            if mayBreak || columns + width > maximumColumns {
                let keeps = isSpaced && part.isEmpty
                end()
                isSpaced = keeps
            }
            part.append(character)
            columns += width
        }
        end()
        return parts
    }

    private static func isTail(_ text: String) -> Bool {
        text.allSatisfy { noBegin.contains($0) }
    }

    /// Returns the cost of a break: 0 at the end of a sentence, 1 at the end of a clause, 6 after most words, and more
    /// after a word that belongs with the next one.
    private static func cost(after text: String, before next: String?, hasSpace: Bool) -> Double {
        guard let last = text.last(where: { !closing.contains($0) }) else { return 6 }
        if SentenceSigns.ends.contains(last) { return last == "." && text.count <= 3 ? 6 : 0 }
        if SentenceSigns.clauses.contains(last) { return 1 }
        if !hasSpace {
            // A kanji, katakana or foreign character after hiragana starts a new word.
            guard let first = next?.unicodeScalars.first, let scalar = last.unicodeScalars.first else { return 8 }
            let (wasKana, isKana) = ((0x3040...0x309F).contains(scalar.value), (0x3040...0x309F).contains(first.value))
            return wasKana && !isKana ? 6 : 9
        }
        return leading.contains(text.lowercased()) ? 14 : 6
    }

    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// Returns 2 for Chinese, Japanese and Korean characters and for emoji, otherwise 1.
    static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: 1
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFF:
            2
        default: 1
        }
    }

    private static let closing = Set("\"')]”’»」』）】》〉")
    /// Characters that must not begin a line, and characters that must not end one.
    private static let noBegin = Set(
        ",.!?;:…%)]}”’»、。，．！？；：）」』】》〉〕ー々ゝ・ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ％‥؟،؛।")
    private static let noEnd = Set("([{“«「『（【《〈〔¿¡")

    /// Articles, prepositions and conjunctions in several languages. They should stay on the same line as the next
    /// word.
    private static let leading = Set(
        """
        a an the of in on at to for with by from and or but that which who as is if than into your my our his her their its \
        der die das den dem des ein eine einen einem einer eines im am an auf zu zum zur mit von vom und oder bei für aus dass \
        le la les un une des du de à au aux et ou en dans par pour sur que qui \
        el los las una del al y o con por para que su \
        il lo gli i uno di della dei da dal nel nella su tra e che \
        os as do da dos das em no na com um uma \
        het een van op te met voor \
        w z na do od po za ze i a o że в на с к о и а но у из от по для за не что \
        en ett och att som på av til og et på
        """.split(separator: " ").map(String.init))
}
