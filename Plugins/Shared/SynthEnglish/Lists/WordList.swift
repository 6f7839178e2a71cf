/// How one list reads a word: in one way, or in several by part of speech.
struct ListEntry {
    /// The reading where nothing tells another.
    var reading: [Unicode.Scalar]
    /// By Penn tag or group of tags (`NOUN`, `VERB`, `ADJ`, `ADV`); `None` is the reading before a pause. A reading of
    /// `nil` spells the word.
    var others: [(tag: String, reading: [Unicode.Scalar]?)] = []
}

/// misaki's two lists of one accent: gold was checked by people, silver was not.
///
/// `Scripts/train-english` writes the file: the words in the order of their bytes, in blocks of 16. A word is stored as
/// the number of bytes that it shares with the word before it, and the rest. Silver words whose inflection tells their
/// sounds are left out.
///
///     "SYNWORD1", words, blocks, symbols, bytes of the symbols (32 bits each), the symbols in UTF-8,
///     starts of the blocks and the end (32 bits each),
///     words: shared bytes, own bytes, the own bytes, head, sounds.
///
/// Bit 7 of the head is set for a silver word. If bit 6 is clear, the other bits are the number of sounds, one byte
/// each. If it is set, they are the number of readings: tag, number of sounds or 255 for a word that is spelled, the
/// sounds.
struct WordList: Sendable {
    private static let tags = ["DEFAULT", "None", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT"]
    private static let blockSize = 16

    private let bytes: [UInt8]
    private let symbols: [Unicode.Scalar]
    /// Where each block begins in `bytes`, and where the last ends.
    private let starts: [Int]

    /// Checks the whole file, so that a search need not.
    init(_ data: DataBytes) throws {
        var data = data
        try data.expect("SYNWORD1")
        let (wordCount, blockCount) = (try data.number(), try data.number())
        let (symbolCount, width) = (try data.number(), try data.number())
        symbols = Array(try data.text(width).unicodeScalars)
        guard symbols.count == symbolCount, symbolCount < 255, wordCount > 0,
            blockCount == (wordCount + Self.blockSize - 1) / Self.blockSize, blockCount < data.bytes.count / 4
        else { throw data.damage }
        var starts: [Int] = []
        starts.reserveCapacity(blockCount + 1)
        for _ in 0...blockCount { starts.append(try data.number()) }
        let first = data.position
        starts = starts.map { $0 + first }
        guard starts[0] == first, starts[blockCount] == data.bytes.count else { throw data.damage }
        bytes = data.bytes
        self.starts = starts
        for block in 0..<blockCount
        where !isSound(block, count: min(Self.blockSize, wordCount - block * Self.blockSize)) {
            throw data.damage
        }
    }

    /// Whether the words of a block fill it, and every symbol is known.
    private func isSound(_ block: Int, count: Int) -> Bool {
        guard starts[block] < starts[block + 1], starts[block + 1] <= bytes.count else { return false }
        let end = starts[block + 1]
        var (position, length) = (starts[block], 0)
        func skipSounds(_ count: Int) -> Bool {
            guard count <= end - position else { return false }
            for byte in bytes[position..<position + count] where Int(byte) >= symbols.count { return false }
            position += count
            return true
        }
        for index in 0..<count {
            guard end - position >= 3 else { return false }
            let (shared, own) = (Int(bytes[position]), Int(bytes[position + 1]))
            guard shared <= length, index > 0 || shared == 0, own + 3 <= end - position else { return false }
            length = shared + own
            let head = bytes[position + 2 + own]
            position += 3 + own
            if head & 0x40 == 0 {
                guard skipSounds(Int(head & 0x3F)) else { return false }
                continue
            }
            for _ in 0..<head & 0x3F {
                guard end - position >= 2, Int(bytes[position]) < Self.tags.count else { return false }
                let count = bytes[position + 1]
                position += 2
                guard count == 255 || skipSounds(Int(count)) else { return false }
            }
        }
        return position == end
    }

    /// The entries of a word, written exactly so.
    func find(_ word: String) -> (gold: ListEntry?, silver: ListEntry?) {
        var word = word
        return word.withUTF8 { find($0) }
    }

    private func find(_ word: UnsafeBufferPointer<UInt8>) -> (gold: ListEntry?, silver: ListEntry?) {
        var (low, high) = (0, starts.count - 2)
        // The last block whose first word is not behind this one. Entries of one word can begin in the block before it.
        while low < high {
            let middle = (low + high + 1) / 2
            if isBefore(firstWord(middle), word) { low = middle } else { high = middle - 1 }
        }
        var found: (gold: ListEntry?, silver: ListEntry?)
        for block in low..<min(low + 2, starts.count - 1) { search(block, word, &found) }
        return found
    }

    private func firstWord(_ block: Int) -> Range<Int> {
        let start = starts[block]
        return start + 2..<start + 2 + Int(bytes[start + 1])
    }

    private func isBefore(_ range: Range<Int>, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[range].lexicographicallyPrecedes(word)
    }

    private func search(
        _ block: Int, _ word: UnsafeBufferPointer<UInt8>, _ found: inout (gold: ListEntry?, silver: ListEntry?)
    ) {
        var position = starts[block]
        let end = starts[block + 1]
        // How many bytes the last word and this one have in common.
        var matched = 0
        while position < end {
            let (shared, own) = (Int(bytes[position]), Int(bytes[position + 1]))
            if shared <= matched {
                matched = shared
                while matched < min(word.count, shared + own), bytes[position + 2 + matched - shared] == word[matched] {
                    matched += 1
                }
            }
            let isFound = shared + own == word.count && matched == word.count
            let head = bytes[position + 2 + own]
            position += 3 + own
            if isFound {
                if head & 0x80 == 0 {
                    found.gold = entry(head, &position)
                } else {
                    found.silver = entry(head, &position)
                }
            } else {
                skipEntry(head, &position)
            }
        }
    }

    private func skipEntry(_ head: UInt8, _ position: inout Int) {
        guard head & 0x40 != 0 else {
            position += Int(head & 0x3F)
            return
        }
        for _ in 0..<head & 0x3F { position += bytes[position + 1] == 255 ? 2 : 2 + Int(bytes[position + 1]) }
    }

    private func entry(_ head: UInt8, _ position: inout Int) -> ListEntry {
        func sounds(_ count: Int) -> [Unicode.Scalar] {
            defer { position += count }
            return bytes[position..<position + count].map { symbols[Int($0)] }
        }
        guard head & 0x40 != 0 else { return ListEntry(reading: sounds(Int(head & 0x3F))) }
        var entry = ListEntry(reading: [])
        for _ in 0..<head & 0x3F {
            let (tag, count) = (Self.tags[Int(bytes[position])], bytes[position + 1])
            position += 2
            let reading = count == 255 ? nil : sounds(Int(count))
            if tag == "DEFAULT" { entry.reading = reading ?? [] } else { entry.others.append((tag, reading)) }
        }
        return entry
    }
}
