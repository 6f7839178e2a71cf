/// A quick check for text that may need verbalization, so that the rules need not be applied to plain sentences.
///
/// Text needs no verbalization if it consists of sentence punctuation and pronounceable words with at most an initial
/// capital, unless a rule applies to one of the words. Any other text is checked in full.
struct WorkScan {
    /// The words to which rules apply.
    let words: PlainWords

    func hasWork(_ text: [UInt8]) -> Bool {
        var end = text.count
        while end > 0, Self.isTail(text[end - 1]) { end -= 1 }
        if end < text.count, Self.mayBeShort(text, end) { return true }
        var offset = 0
        var followsCapital = false
        while offset < end {
            let byte = text[offset]
            switch byte {
            case 0x41...0x5A, 0x61...0x7A:
                guard let next = Self.plainWord(text, offset, end) else { return true }
                // A single capital letter may be part of a name, as in "World War I".
                if byte < 0x5B, next == offset + 1, followsCapital || !Vowels.contain(byte) { return true }
                // After a lowercase word, as in "plan A", the letter is a name. At the beginning of a sentence, "A" is
                // the article.
                if byte == 0x41, next == offset + 1, offset > 1, text[offset - 2] >= 0x61 { return true }
                followsCapital = byte < 0x5B
                if words.contain(text, offset..<next) { return true }
                offset = next
            case 0x80...:
                let (value, length) = scalar(in: text, at: offset)
                guard Self.isPlain(value) else { return true }
                guard TokenClass.of(value) == .letter else {
                    offset += length
                    continue
                }
                guard let next = Self.plainWord(text, offset, end) else { return true }
                followsCapital = Folding.isCapital(value)
                if words.contain(text, offset..<next) { return true }
                offset = max(next, offset + length)
            case 0x29 where Self.endsItemLetter(text, offset): return true
            // Space, line breaks, ! " ' ( ) , ; ?
            case 0x20, 0x09, 0x0A, 0x0D, 0x21, 0x22, 0x27, 0x28, 0x29, 0x2C, 0x3B, 0x3F: offset += 1
            case 0x2D where offset + 1 < end && isPlainHyphen(text, offset): offset += 1
            case 0x3A where offset + 1 < end && text[offset + 1] == 0x20: offset += 1
            default: return true
            }
        }
        return false
    }

    /// Whether the parenthesis follows a single letter, as in "a) tea".
    private static func endsItemLetter(_ text: [UInt8], _ bracket: Int) -> Bool {
        var start = bracket - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        guard start >= 0, text[start] >= 0x41 else { return false }
        return start == 0 || text[start - 1] == 0x20 || text[start - 1] == 0x28
    }

    /// Whether a hyphen is within a word or between spaces, rather than at the start of a command-line option such as
    /// "-v".
    private func isPlainHyphen(_ text: [UInt8], _ offset: Int) -> Bool {
        text[offset + 1] == 0x20 || text[offset + 1] >= 0x61 && offset > 0 && text[offset - 1] != 0x20
    }

    /// Whether the byte may follow the last word of the text: white space or final punctuation.
    private static func isTail(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, 0x21, 0x22, 0x27, 0x29, 0x2E, 0x3A, 0x3F: true
        default: false
        }
    }

    /// Whether the final period may belong to an abbreviation such as "etc."
    private static func mayBeShort(_ text: [UInt8], _ end: Int) -> Bool {
        guard text[end] == 0x2E else { return false }
        var letters = 0
        var start = end
        while start > 0, letters < 4, text[start - 1] >= 0x80 || (0x61...0x7A).contains(text[start - 1] | 0x20) {
            start -= 1
            // Count only the first byte of each letter.
            if text[start] & 0xC0 != 0x80 { letters += 1 }
        }
        return letters < 4
    }

    /// Returns the end of a word that is read as written, or nil if it may need verbalization.
    private static func plainWord(_ text: [UInt8], _ start: Int, _ end: Int) -> Int? {
        var offset = start
        var hasVowel = false
        // Roman numerals in lowercase, as in "page xii" and "scene v".
        var mayBeRoman = true
        while offset < end {
            let byte = text[offset]
            if byte >= 0x80 {
                let (value, length) = scalar(in: text, at: offset)
                guard TokenClass.of(value) == .letter, value < 0x250 || value >= 0x300 else { break }
                if Folding.isCapital(value), offset > start { return nil }
                mayBeRoman = false
                hasVowel = true
                offset += length
                continue
            }
            guard (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) else { break }
            if byte < 0x5B, offset > start { return nil }
            if Vowels.contain(byte) { hasVowel = true }
            if byte != 0x69, byte != 0x76, byte != 0x78 { mayBeRoman = false }
            offset += 1
        }
        if mayBeRoman, offset - start > 1 || text[start] != 0x69 { return nil }
        // Abbreviations such as "Dr" and "vs", but not the ends of "I'd" and "don't".
        let isEnding = start > 0 && (text[start - 1] == 0x27 || text[start - 1] >= 0x80)
        if !hasVowel, offset - start > 1, !isEnding { return nil }
        // A period within the text marks an abbreviation.
        if offset < end, text[offset] == 0x2E { return nil }
        return offset
    }

    /// Whether the scalar is a letter of another script, a quotation mark or a dash.
    private static func isPlain(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2018...0x201F, 0x2014, 0x2026, 0xAB, 0xBB, 0xBF, 0xA1, 0x3001, 0x3002, 0xFF0C, 0xFF01, 0xFF1F: true
        default: TokenClass.of(scalar) == .letter || TokenClass.of(scalar) == .ideograph
        }
    }
}

/// The words that are the entire pattern of one of the language's rules, such as "read" and "lead". A sentence that
/// contains one of them is checked in full, even if it otherwise contains only plain words.
///
/// The words are extracted directly from the text of the rules, because loading a language's tables takes longer than
/// speaking "Hello".
struct PlainWords: Sendable {
    private var hashes: Set<UInt32> = []
    /// For each word length, one bit per possible first letter. Checking these bits excludes most other words quickly.
    private var beginnings = InlineArray<32, UInt32>(repeating: 0)

    /// - Parameters:
    ///   - tag: a BCP 47 tag.
    ///   - tables: the folder that contains the language folders. Unreadable files are ignored.
    init(_ tag: String, tables: String) {
        for folder in LanguageReader.folders(of: tag)?.folders ?? [] {
            guard let rules = try? LanguageReader.file("\(tables)/\(folder)/rules.txt") else { continue }
            for line in rules.split(separator: 0x0A) {
                if let word = Self.word(ofRule: line) { insert(Array(word)) }
            }
        }
    }

    /// Returns the word that is the entire pattern of a rule, as in `heteronym: <read> => red`, or nil if the pattern
    /// is not a single word.
    private static func word(ofRule line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        let pattern = line[colon...].dropFirst().drop { $0 == 0x20 || $0 == 0x3C }
        let word = pattern.prefix { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 }
        let rest = pattern[word.endIndex...].drop { $0 == 0x3E }
        return !word.isEmpty && rest.starts(with: " => ".utf8) ? word : nil
    }

    private mutating func insert(_ word: [UInt8]) {
        hashes.insert(Self.hash(word, word.indices))
        beginnings[min(word.count, 31)] |= Self.beginning(word, 0)
    }

    private static func beginning(_ text: [UInt8], _ offset: Int) -> UInt32 {
        text[offset] < 0x80 ? 1 << UInt32(text[offset] & 0x1F) : 1
    }

    /// Whether the set contains the word, ignoring case. Rare false positives are possible.
    func contain(_ text: [UInt8], _ word: Range<Int>) -> Bool {
        guard beginnings[min(word.count, 31)] & Self.beginning(text, word.lowerBound) != 0 else { return false }
        return hashes.contains(Self.hash(text, word))
    }

    private static func hash(_ text: [UInt8], _ word: Range<Int>) -> UInt32 {
        var hash = WordHash()
        var offset = word.lowerBound
        while offset < word.upperBound {
            let byte = text[offset]
            if byte < 0x80 {
                hash.add(byte | 0x20)
                offset += 1
            } else {
                let (value, length) = scalar(in: text, at: offset)
                let small = Folding.small(value)
                hash.add(UInt8(truncatingIfNeeded: small))
                hash.add(UInt8(truncatingIfNeeded: small >> 8))
                offset += length
            }
        }
        return hash.value
    }
}
