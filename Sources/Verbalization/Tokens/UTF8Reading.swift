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
