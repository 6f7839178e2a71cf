import SynthScript
import SynthSystem

/// Which characters XML 1.0 (fifth edition) allows where. Sections 2.2 and 2.3.
enum XMLCharacters {
    /// Ranges of `NameStartChar` above ASCII.
    private static let nameStarts: [ClosedRange<UInt32>] = [
        0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
        0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF,
    ]
    /// Ranges of `NameChar` above ASCII that `NameStartChar` lacks.
    private static let nameParts: [ClosedRange<UInt32>] = [0xB7...0xB7, 0x300...0x36F, 0x203F...0x2040]

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
    }

    /// Whether a document may hold the character at all, also as a reference.
    static func isAllowed(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    static func startsName(_ value: UInt32) -> Bool {
        if value < 0x80 {
            let letter = value | 0x20
            return letter >= 0x61 && letter <= 0x7A || value == 0x5F || value == 0x3A
        }
        return nameStarts.contains { $0.contains(value) }
    }

    static func continuesName(_ value: UInt32) -> Bool {
        if startsName(value) { return true }
        if value < 0x80 { return value >= 0x30 && value <= 0x39 || value == 0x2D || value == 0x2E }
        return nameParts.contains { $0.contains(value) }
    }

    /// Checks the encoding and every character of a document.
    static func check(_ document: Span<UInt8>) throws(ScriptError) {
        do {
            var validator = UTF8Validator()
            try validator.validate(document)
            try validator.finish()
        } catch {
            throw ScriptError(.text(error), at: ScriptPlace(of: error.facts.byte ?? 0, in: document))
        }
        for index in 0..<document.count {
            let byte = document[index]
            // Of what UTF-8 can say, only these two do not fit in one comparison: U+FFFE and U+FFFF.
            let isNoCharacter =
                byte >= 0xBE && index >= 2 && document[index - 1] == 0xBF && document[index - 2] == 0xEF
            guard byte < 0x20 && !isSpace(byte) || isNoCharacter else { continue }
            let start = isNoCharacter ? index - 2 : index
            let (value, _) = UTF8Cursor.scalar(at: start, in: document)
            throw ScriptError(.unexpected(code(of: value)), at: ScriptPlace(of: start, in: document))
        }
    }

    /// A character that cannot be shown, such as "U+0000".
    private static func code(of value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
