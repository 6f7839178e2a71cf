/// The words and digits that a language's tables mention, by number. A word is found in time that depends on its own
/// length alone.
struct Vocabulary: Sendable {
    /// Numbers of words plus one; 0 is a free place.
    private var places = [UInt32](repeating: 0, count: 1 << 10)
    private var hashes: [UInt32] = []
    private var ends: [Int] = [0]
    private var letters: [UInt8] = []

    var count: Int { hashes.count }

    /// - Returns: `Token.unknown` if no table has it.
    func number(of bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        let place = place(of: bytes, range, Self.hash(bytes, range))
        return places[place] == 0 ? Token.unknown : Token.firstWord + places[place] - 1
    }

    /// The number of a word, which is added if it is new.
    mutating func intern(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        let hash = Self.hash(bytes, range)
        var place = place(of: bytes, range, hash)
        if places[place] == 0 {
            if hashes.count * 2 >= places.count {
                grow()
                place = self.place(of: bytes, range, hash)
            }
            hashes.append(hash)
            letters += bytes[range]
            ends.append(letters.count)
            places[place] = UInt32(hashes.count)
        }
        return Token.firstWord + places[place] - 1
    }

    private func place(of bytes: [UInt8], _ range: Range<Int>, _ hash: UInt32) -> Int {
        let mask = places.count - 1
        var place = Int(hash) & mask
        while places[place] != 0 {
            let index = Int(places[place] - 1)
            if hashes[index] == hash, letters[ends[index]..<ends[index + 1]].elementsEqual(bytes[range]) { break }
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: places.count * 2)
        let mask = places.count - 1
        for (index, hash) in hashes.enumerated() {
            var place = Int(hash) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = UInt32(index + 1)
        }
    }

    /// FNV-1a. The words of the tables are fixed, so no text can make them collide; a text's own words are not kept.
    private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for index in range { hash = (hash ^ UInt32(bytes[index])) &* 16_777_619 }
        return hash ^ hash >> 15
    }
}
