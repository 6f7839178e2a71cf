/// The words and digits in a language's tables and the numbers assigned to them. Lookup time depends only on the length
/// of the word.
struct TokenNumbers: Sendable {
    /// Word numbers plus one. 0 marks an empty slot.
    private var places = [UInt32](repeating: 0, count: 1 << 10)
    private var hashes: [UInt32] = []
    private var ends: [Int] = [0]
    private var letters: [UInt8] = []

    var count: Int { hashes.count }

    /// - Parameter hash: the word's `WordHash`.
    /// - Returns: the word's number, or `Token.unknown` if the word is not in a table.
    func number(of bytes: [UInt8], _ range: Range<Int>, hash: UInt32) -> UInt32 {
        find(hash) { isWord($0, bytes, range, folding: 0) }
    }

    /// Returns the number of the lowercase form of an ASCII word.
    ///
    /// - Parameter hash: the hash of the lowercase word.
    func number(ofSmall bytes: [UInt8], _ range: Range<Int>, hash: UInt32) -> UInt32 {
        find(hash) { isWord($0, bytes, range, folding: 0x20) }
    }

    func number(of bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        number(of: bytes, range, hash: WordHash(of: bytes, range).value)
    }

    /// Returns the number of a word. Adds the word if it is new.
    mutating func intern(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        let hash = WordHash(of: bytes, range)
        let known = number(of: bytes, range, hash: hash.value)
        if known != Token.unknown { return known }
        if hashes.count * 2 >= places.count { grow() }
        hashes.append(hash.value)
        letters += bytes[range]
        ends.append(letters.count)
        place(hashes.count - 1)
        return Token.firstWord + UInt32(hashes.count) - 1
    }

    @inline(__always)
    private func find(_ hash: UInt32, _ isWanted: (Int) -> Bool) -> UInt32 {
        let mask = places.count - 1
        var place = Int(hash) & mask
        while places[place] != 0 {
            let index = Int(places[place] - 1)
            if hashes[index] == hash, isWanted(index) { return Token.firstWord + UInt32(index) }
            place = (place + 1) & mask
        }
        return Token.unknown
    }

    /// - Parameter folding: the bit that converts a capital to lowercase, or 0.
    private func isWord(_ index: Int, _ bytes: [UInt8], _ range: Range<Int>, folding: UInt8) -> Bool {
        let start = ends[index]
        guard ends[index + 1] - start == range.count else { return false }
        for offset in 0..<range.count
        where letters[start + offset] != bytes[range.lowerBound + offset] | folding { return false }
        return true
    }

    private mutating func place(_ index: Int) {
        let mask = places.count - 1
        var place = Int(hashes[index]) & mask
        while places[place] != 0 { place = (place + 1) & mask }
        places[place] = UInt32(index + 1)
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: places.count * 2)
        for index in hashes.indices { place(index) }
    }
}

/// The FNV-1a hash of a word. Input text cannot cause collisions, because only the words in the tables are stored, and
/// they are fixed.
struct WordHash: BitwiseCopyable {
    private var state: UInt32 = 2_166_136_261

    init() {}

    init(of bytes: [UInt8], _ range: Range<Int>) {
        for index in range { add(bytes[index]) }
    }

    mutating func add(_ byte: UInt8) { state = (state ^ UInt32(byte)) &* 16_777_619 }

    var value: UInt32 { state ^ state >> 15 }
}
