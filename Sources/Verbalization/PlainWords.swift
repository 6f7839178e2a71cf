/// The words that a rule of a language replaces by themselves, "read" and "lead": a sentence that has one is worth a look,
/// though there is nothing in it but words.
///
/// They are found in the text of the rules, because to read a language's tables takes longer than to speak "Hello".
struct PlainWords: Sendable {
    private var hashes: Set<UInt32> = []
    /// For each length, a bit for each first letter: most words are told by that from all others.
    private var beginnings = InlineArray<32, UInt32>(repeating: 0)

    /// - Parameters:
    ///   - tag: a tag of BCP 47.
    ///   - tables: the folder with the languages' folders. What cannot be read has no words.
    init(_ tag: String, tables: String) {
        for folder in LanguageReader.folders(of: tag)?.folders ?? [] {
            guard let rules = try? LanguageReader.file("\(tables)/\(folder)/rules.txt") else { continue }
            for line in rules.split(separator: 0x0A) {
                if let word = Self.word(ofRule: line) { insert(Array(word)) }
            }
        }
    }

    /// The word that is a rule's whole pattern, as in `heteronym: <read> => red`.
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

    /// Whether the word is one of them in whatever letters. Now and then a word is that is none.
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
