/// The scalar at an offset of valid UTF-8, and its number of bytes. Damaged bytes count as U+FFFD, one each.
func scalar(in bytes: [UInt8], at offset: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(bytes[offset])
    if first < 0x80 { return (first, 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
    guard length > 0, offset + length <= bytes.count else { return (0xFFFD, 1) }
    var value = first & (0x7F >> UInt32(length))
    for index in 1..<length { value = value << 6 | UInt32(bytes[offset + index] & 0x3F) }
    return (value, length)
}

extension StringProtocol {
    /// The first place of a short piece of ASCII. It looks at bytes, which is many times faster than characters.
    func range(of piece: StaticString) -> Range<Index>? {
        let bytes = utf8
        let count = piece.utf8CodeUnitCount
        guard count > 0 else { return nil }
        let first = piece.utf8Start[0]
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: first) {
            var cursor = found
            var matched = 0
            while matched < count, cursor < bytes.endIndex, bytes[cursor] == piece.utf8Start[matched] {
                matched += 1
                cursor = bytes.index(after: cursor)
            }
            if matched == count { return found..<cursor }
            start = bytes.index(after: found)
        }
        return nil
    }
}
