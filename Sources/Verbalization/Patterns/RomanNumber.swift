/// Roman numbers in capitals, 1 to 3999.
enum RomanNumber {
    private static let parts: [(value: Int64, letters: [UInt8])] = [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
        (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ].map { ($0.0, Array(($0.1 as String).utf8)) }

    /// Nil unless the letters are the one customary form of a number.
    static func value(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        guard (1...15).contains(range.count) else { return nil }
        var offset = range.lowerBound
        var value: Int64 = 0
        for (part, letters) in parts {
            // 1, 10, 100 and 1000 up to three times, the others once.
            let limit = letters.count == 1 && letters != [0x56] && letters != [0x4C] && letters != [0x44] ? 3 : 1
            var count = 0
            while count < limit, offset + letters.count <= range.upperBound,
                bytes[offset..<offset + letters.count].elementsEqual(letters)
            {
                value += part
                offset += letters.count
                count += 1
            }
        }
        return offset == range.upperBound ? value : nil
    }
}
