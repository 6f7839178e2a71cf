/// Converts capitals to lowercase, regardless of the language.
enum Folding {
    static func isCapital(_ scalar: UInt32) -> Bool { small(scalar) != scalar }

    /// Returns the lowercase form of a capital, or any other scalar unchanged.
    static func small(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x391...0x3A9, 0x410...0x42F: return scalar + 0x20
        case ..<0x100, 0x3B1...0x3C9, 0x430...0x45F: return scalar
        case 0x400...0x40F: return scalar + 0x50
        case ..<0x590, 0x1E00...0x1EFF:
            guard let known = Unicode.Scalar(scalar) else { return scalar }
            let mapping = known.properties.lowercaseMapping.unicodeScalars
            guard mapping.count == 1, let first = mapping.first else { return scalar }
            return first.value
        default: return scalar
        }
    }

    /// Returns the bytes in lowercase.
    static func small(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let (value, length) = scalar(in: bytes, at: offset)
            append(small(value), to: &result)
            offset += length
        }
        return result
    }

    static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        if value < 0x80 {
            bytes.append(UInt8(value))
            return
        }
        guard let scalar = Unicode.Scalar(value) else { return }
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
}

/// The Latin vowels. A word in Latin script cannot be pronounced without one.
enum Vowels {
    static func contain(_ letter: UInt8) -> Bool {
        switch letter | 0x20 {
        case 0x61, 0x65, 0x69, 0x6F, 0x75, 0x79: true
        default: false
        }
    }
}

/// Returns the scalar at an offset in UTF-8, and its length in bytes. Each invalid byte is decoded as U+FFFD.
func scalar(in bytes: [UInt8], at offset: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(bytes[offset])
    if first < 0x80 { return (first, 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
    guard length > 0, offset + length <= bytes.count else { return (0xFFFD, 1) }
    var value = first & (0x7F >> UInt32(length))
    for index in 1..<length { value = value << 6 | UInt32(bytes[offset + index] & 0x3F) }
    return (value, length)
}

/// A part of a table's UTF-8 text. Parsing bytes is several times faster than parsing characters.
typealias TableText = ArraySlice<UInt8>

extension ArraySlice<UInt8> {
    var string: String { String(decoding: self, as: UTF8.self) }

    /// Whether a short ASCII string begins at an index.
    func has(_ piece: StaticString, at index: Int) -> Bool {
        let count = piece.utf8CodeUnitCount
        guard endIndex - index >= count else { return false }
        for offset in 0..<count where self[index + offset] != piece.utf8Start[offset] { return false }
        return true
    }

    /// Returns the first occurrence of a short ASCII string.
    func range(of piece: StaticString) -> Range<Int>? {
        for index in indices where has(piece, at: index) { return index..<index + piece.utf8CodeUnitCount }
        return nil
    }

    /// Returns the text without leading and trailing spaces.
    func trimmed() -> TableText {
        var text = self
        while text.first == 0x20 { text.removeFirst() }
        while text.last == 0x20 { text.removeLast() }
        return text
    }
}
