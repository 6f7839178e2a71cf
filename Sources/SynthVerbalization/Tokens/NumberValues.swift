/// Parses ASCII digits.
enum DigitValue {
    /// Returns nil for more than 18 digits, because such numbers cannot be spelled out either.
    static func of(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        guard (1...18).contains(range.count) else { return nil }
        var value: Int64 = 0
        for index in range { value = value * 10 + Int64(bytes[index] &- 0x30) }
        return value
    }
}

/// Superscript and subscript digits.
enum RaisedDigits {
    static let scalars: [UInt32] = [0x2070, 0xB9, 0xB2, 0xB3] + Array(0x2074...0x2079)

    /// Returns the value of a superscript digit.
    static func value(_ scalar: UInt32) -> UInt8? {
        switch scalar {
        case 0x2070, 0x2074...0x2079: UInt8(scalar - 0x2070)
        case 0xB9: 1
        case 0xB2: 2
        case 0xB3: 3
        default: nil
        }
    }

    /// Returns the value of a subscript digit.
    static func lowered(_ scalar: UInt32) -> UInt8? {
        (0x2080...0x2089).contains(scalar) ? UInt8(scalar - 0x2080) : nil
    }
}

/// Parses Roman numerals in capitals, from 1 to 3999.
enum RomanNumber {
    /// The letters for one, five and ten in each decimal place.
    private static let places: [(one: UInt8, five: UInt8, ten: UInt8, unit: Int64)] = [
        (0x4D, 0, 0, 1000),  // M
        (0x43, 0x44, 0x4D, 100),  // C D M
        (0x58, 0x4C, 0x43, 10),  // X L C
        (0x49, 0x56, 0x58, 1),  // I V X
    ]

    /// Returns nil unless the letters are the standard form of a number.
    static func value(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        guard (1...15).contains(range.count), isLetter(bytes[range.lowerBound]) else { return nil }
        var offset = range.lowerBound
        var value: Int64 = 0
        func letter(_ position: Int) -> UInt8? { position < range.upperBound ? bytes[position] : nil }
        for (one, five, ten, unit) in places {
            if letter(offset) == one, five != 0, let next = letter(offset + 1), next == five || next == ten {
                value += (next == five ? 4 : 9) * unit
                offset += 2
                continue
            }
            if five != 0, letter(offset) == five {
                value += 5 * unit
                offset += 1
            }
            var count = 0
            while count < 3, letter(offset) == one {
                value += unit
                offset += 1
                count += 1
            }
        }
        return offset == range.upperBound ? value : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x43, 0x44, 0x49, 0x4C, 0x4D, 0x56, 0x58: true
        default: false
        }
    }

    /// Whether the numeral is a single letter that usually does not stand for a number, as in "Part C".
    static func isUsuallyALetter(_ value: Int64) -> Bool { [50, 100, 500, 1000].contains(value) }
}
