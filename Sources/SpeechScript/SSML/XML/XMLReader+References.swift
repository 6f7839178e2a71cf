extension XMLReader {
    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// Reads `&name;`, `&#10;` or `&#xA;`.
    mutating func readReference() throws(ScriptError) -> (scalar: Unicode.Scalar, source: Range<Int>) {
        let start = position
        position += 1
        let isNumber = matches("#")
        let scalar: Unicode.Scalar?
        if isNumber {
            position += 1
            scalar = try readNumber(of: start)
        } else {
            guard let name = try readName() else { throw failure(.unexpected("&"), at: start) }
            scalar = Self.entities[text(name)]
        }
        guard matches(";") else { throw failure(.expected(";"), at: position) }
        position += 1
        guard let scalar else {
            let written = text(start..<min(position, start + 32))
            throw failure(isNumber ? .unexpected(written) : .refused(written), at: start)
        }
        return (scalar, start..<position)
    }

    /// Reads the digits of a reference that began at `start`; nil = no document may hold that character.
    private mutating func readNumber(of start: Int) throws(ScriptError) -> Unicode.Scalar? {
        let isHex = matches("x")
        if isHex { position += 1 }
        let first = position
        var value: UInt32 = 0
        while position < bytes.count, let digit = Self.digit(bytes[position], isHex: isHex) {
            // Larger than every character already; more digits do not make it smaller.
            if value <= 0x10FFFF { value = value * (isHex ? 16 : 10) + digit }
            position += 1
        }
        work += position - first
        guard position > first else { throw failure(.unexpected("&#"), at: start) }
        return XMLCharacters.isAllowed(value) ? Unicode.Scalar(value) : nil
    }

    private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F") where isHex: UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
