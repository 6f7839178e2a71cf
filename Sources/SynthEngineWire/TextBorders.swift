extension Collection<UInt8> {
    /// Whether an offset into UTF-8 is between two Unicode scalars, or at an end.
    package func isBorder(_ offset: Int) -> Bool {
        offset == count
            || (0..<count).contains(offset) && self[index(startIndex, offsetBy: offset)] & 0xC0 != 0x80
    }
}

extension String {
    /// The longest prefix of at most so many bytes that ends with a whole Unicode scalar. (A character can have any
    /// length: an `e` can carry a thousand accents.)
    package func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        let bytes = Array(utf8.prefix(most + 1))
        var end = most
        while !bytes.isBorder(end) { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
