/// A supported accent of English.
package enum EnglishAccent: String, Sendable, CaseIterable { case american, british }

/// A word's entry in a list: one reading, or several by part of speech.
package struct WordEntry {
    /// Whether the entry is from misaki's manually checked gold list. Otherwise, it is from the silver list.
    var isGold: Bool
    /// The default reading.
    package var reading: [Unicode.Scalar]
    /// Readings keyed by Penn tag or tag group (`NOUN`, `VERB`, `ADJ`, `ADV`); `None` is the reading before a pause. A word
    /// with a `nil` reading is spelled out.
    var others: [(tag: String, reading: [Unicode.Scalar]?)] = []
}

/// The words of misaki's gold and silver lists, with the readings for one accent.
///
/// `Scripts/tables/train-english` writes the file, which covers both accents: the words in byte order, in blocks of 32. Silver
/// words whose phonemes follow from the rules for endings are omitted.
///
///     "SYNWORD2", sum, sum of the sums, blocks, symbols, bytes of the symbols, pairs, rules (32 bits each),
///     the symbols in UTF-8, the pairs, the rules (see `AccentRules`), starts of the blocks and the end (32 bits each),
///     the blocks (see `WordBlock`).
///
/// In the blocks, phonemes are one-byte codes: the first codes are the symbols, and each other code is a pair of lower codes.
package struct WordList: Sendable {
    private let accent: EnglishAccent
    private let bytes: FixedBytes
    private let symbols: [Unicode.Scalar]
    /// The symbol indices that each code represents.
    private let codes: [[UInt8]]
    private let british: AccentRules
    /// The start of each block in `bytes`, followed by the end of the last block.
    private let starts: [Int]

    /// Throws if the file is corrupt. A forged file with valid checksums may contain incorrect words but is otherwise
    /// harmless.
    package init(_ data: DataBytes, _ accent: EnglishAccent) throws {
        var data = data
        try data.expect("SYNWORD2")
        let sums = (try data.number(), try data.number())
        guard data.sums == sums else { throw data.damage }
        let blockCount = try data.number()
        let (symbolCount, width) = (try data.number(), try data.number())
        let (pairCount, ruleCount) = (try data.number(), try data.number())
        symbols = Array(try data.text(width).unicodeScalars)
        guard symbols.count == symbolCount, symbolCount < 255, pairCount < 256 - symbolCount, blockCount > 0,
            blockCount < data.bytes.count / 4
        else { throw data.damage }
        codes = try Self.codes(symbolCount, pairCount, &data)
        british = try AccentRules(&data, count: ruleCount, symbolCount: symbolCount)
        var starts: [Int] = []
        starts.reserveCapacity(blockCount + 1)
        for _ in 0...blockCount { starts.append(try data.number()) }
        let first = data.position
        starts = starts.map { $0 + first }
        guard starts[0] == first, starts[blockCount] == data.bytes.count, zip(starts, starts.dropFirst()).allSatisfy(<)
        else { throw data.damage }
        self.accent = accent
        bytes = data.bytes
        self.starts = starts
    }

    private static func codes(_ symbolCount: Int, _ pairCount: Int, _ data: inout DataBytes) throws -> [[UInt8]] {
        var codes = (0..<symbolCount).map { [UInt8($0)] }
        for _ in 0..<pairCount {
            let (first, second) = (Int(try data.byte()), Int(try data.byte()))
            // No word has more than 64 phonemes, but nested pairs could represent millions.
            guard first < codes.count, second < codes.count, codes[first].count + codes[second].count <= 64 else {
                throw data.damage
            }
            codes.append(codes[first] + codes[second])
        }
        return codes
    }

    /// Returns the entry for a word with exactly this spelling.
    ///
    /// - Parameter isGold: The list to search; `nil` for both.
    package func find(_ word: String, isGold: Bool? = nil) -> WordEntry? {
        var word = word
        return word.withUTF8 { word in bytes.withUnsafeBufferPointer { find(word, isGold, $0) } }
    }

    private func find(
        _ word: UnsafeBufferPointer<UInt8>, _ wanted: Bool?, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> WordEntry? {
        func block(_ index: Int) -> WordBlock { WordBlock(bytes[starts[index]..<starts[index + 1]], codes) }
        var (low, high) = (0, starts.count - 2)
        // Find the last block whose first word does not sort after this word.
        while low < high {
            let middle = (low + high + 1) / 2
            if block(middle).begins(after: word) { high = middle - 1 } else { low = middle }
        }
        let block = block(low)
        guard let headOffset = block.headOffset(of: word), let isGold = block.isGold(at: headOffset, accent),
            isGold == wanted ?? isGold, let found = block.reading(at: headOffset, accent, british)
        else { return nil }
        func scalars(_ sounds: [UInt8]) -> [Unicode.Scalar] { sounds.map { symbols[Int($0)] } }
        return WordEntry(
            isGold: isGold, reading: scalars(found.sounds),
            others: found.others.map { ($0.tag, $0.sounds.map(scalars)) })
    }
}

/// Rules that derive the most likely British phonemes of a word from its American phonemes: a final "ɹ" is silent, "O" becomes
/// "Q", and so on. `Scripts/tables/train-english` derives the rules from the lists.
///
/// Phonemes are symbol indices here. A rule is stored as the preceding symbol, the symbol, the following symbol, the number of
/// replacement symbols, and these symbols. `any` matches every neighboring symbol; an index equal to the number of
/// symbols matches the edge of the word.
struct AccentRules: Sendable {
    private struct Rule {
        var before: UInt8
        var after: UInt8
        var sounds: [UInt8]

        func fits(_ before: UInt8, _ after: UInt8) -> Bool {
            (self.before == before || self.before == any) && (self.after == after || self.after == any)
        }
    }

    private static let any: UInt8 = 255
    private let edge: UInt8
    /// The rules, indexed by symbol. The first matching rule applies; if no rule matches, the symbol is unchanged.
    private let rules: [[Rule]]

    /// - Parameter symbolCount: The number of symbols, below 255.
    init(_ data: inout DataBytes, count: Int, symbolCount: Int) throws {
        guard count <= 1 << 16 else { throw data.damage }
        let edge = UInt8(symbolCount)
        var rules = [[Rule]](repeating: [], count: symbolCount)
        for _ in 0..<count {
            let (before, symbol, after) = (try data.byte(), Int(try data.byte()), try data.byte())
            let sounds = data.bytes[try data.skip(Int(try data.byte()))].copy
            guard symbol < symbolCount, before <= edge || before == Self.any, after <= edge || after == Self.any,
                sounds.allSatisfy({ $0 < edge })
            else { throw data.damage }
            rules[symbol].append(Rule(before: before, after: after, sounds: sounds))
        }
        self.edge = edge
        self.rules = rules
    }

    /// - Parameter sounds: The phonemes as symbol indices, each less than the number of symbols.
    func applied(to sounds: [UInt8]) -> [UInt8] {
        var changed: [UInt8] = []
        changed.reserveCapacity(sounds.count + 4)
        for (index, symbol) in sounds.enumerated() {
            let before = index > 0 ? sounds[index - 1] : edge
            let after = index + 1 < sounds.count ? sounds[index + 1] : edge
            let rule = rules[Int(symbol)].first { $0.fits(before, after) }
            if let rule { changed += rule.sounds } else { changed.append(symbol) }
        }
        return changed
    }
}
