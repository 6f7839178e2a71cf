/// A key that was pressed.
package enum Key: Hashable, Sendable {
    /// A letter, a digit, a sign, the space.
    case character(Character)
    /// With Ctrl held; the letter is small.
    case control(Character)
    case enter, escape, backspace, tab, delete
    case up, down, left, right, pageUp, pageDown, home, end
}

/// Finds the keys in the bytes that a terminal sends. A sequence or a character may come in pieces.
package struct KeyDecoder: Sendable {
    private var bytes: [UInt8] = []

    /// No key has a longer one.
    private static let longestSequence = 32

    package init() {}

    /// Whether a key has begun. If no more bytes come for a moment it is the Escape key: call ``flush()``.
    package var isPending: Bool { !bytes.isEmpty }

    /// The keys that are whole with these bytes. What is no key is left out.
    package mutating func decode(_ more: some Sequence<UInt8>) -> [Key] {
        bytes += more
        var keys: [Key] = []
        var rest = bytes[...]
        while let (key, length) = Self.first(of: rest) {
            rest = rest.dropFirst(length)
            if let key { keys.append(key) }
        }
        bytes = Array(rest)
        return keys
    }

    /// No more bytes came.
    package mutating func flush() -> [Key] {
        defer { bytes = [] }
        return bytes.first == 0x1B ? [.escape] : []
    }

    /// The first key and how many bytes it has; no key = bytes that are none. nil = more bytes are needed.
    private static func first(of bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let byte = bytes.first else { return nil }
        switch byte {
        case 0x1B: return sequence(bytes)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(byte + 0x60))), 1)
        case 0x00, 0x1C...0x1F: return (nil, 1)
        default: return character(bytes)
        }
    }

    private static func character(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let first = bytes.first else { return nil }
        let length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard length > 0 else { return (nil, 1) }
        if bytes.count < length {
            // A byte that cannot continue the character ends it.
            return bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 } ? nil : (nil, 1)
        }
        let text = String(decoding: bytes.prefix(length), as: UTF8.self)
        guard text.unicodeScalars.count == 1, let character = text.first, character != "\u{FFFD}" else {
            return (nil, 1)
        }
        return (.character(character), length)
    }

    /// A sequence of ECMA-48, as the cursor keys send it in both of their modes; another byte after Escape means that both are keys.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        guard let kind = bytes.dropFirst().first else { return nil }
        if kind == UInt8(ascii: "O") {
            guard let final = bytes.dropFirst(2).first else { return nil }
            return (named[final], 3)
        }
        guard kind == UInt8(ascii: "[") else { return (.escape, 1) }
        let parameters = bytes.dropFirst(2).prefix { (0x20...0x3F).contains($0) }
        guard let final = bytes.dropFirst(2 + parameters.count).first else {
            return parameters.count < longestSequence ? nil : (nil, bytes.count)
        }
        let length = 3 + parameters.count
        guard final == UInt8(ascii: "~") else { return (named[final], length) }
        let number = String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return (numbered[number], length)
    }

    private static let named: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    ]
    private static let numbered: [String: Key] = [
        "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
    ]
}
