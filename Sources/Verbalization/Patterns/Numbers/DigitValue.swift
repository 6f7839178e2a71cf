/// The value of digits.
enum DigitValue {
    /// Nil if there are more than 18 digits, for which there are no words either.
    static func of(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
        guard (1...18).contains(range.count) else { return nil }
        var value: Int64 = 0
        for index in range { value = value * 10 + Int64(bytes[index] &- 0x30) }
        return value
    }
}
