import EngineKit

/// Reads misaki's word lists. A list is an object that maps words to phonemes, or to objects that map parts of speech
/// to phonemes.
///
/// Foundation's decoder takes half a second for the 90,000 words of a list; this reader takes less than a tenth of
/// that. The file is untrusted, so any other structure, or deeper nesting, is an error.
struct LexiconJSON {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `entry` for each word with its default phonemes, its phonemes at the end of a clause if they differ, and its
    /// phonemes for specific parts of speech.
    mutating func read(
        _ entry: (_ word: String, _ phonemes: String?, _ last: String?, _ others: [String]) -> Void
    ) throws(EngineError) {
        try object { (reader, word) throws(EngineError) in
            if reader.peek() == UInt8(ascii: "{") {
                var forms: [String: String] = [:]
                try reader.object { (reader, form) throws(EngineError) in
                    if reader.peek() == UInt8(ascii: "n") {
                        try reader.expect("null")
                    } else {
                        forms[form] = try reader.string()
                    }
                }
                let others = forms.filter { $0.key != "DEFAULT" && $0.key != "None" }
                entry(word, forms["DEFAULT"], forms["None"], Set(others.values).sorted())
            } else {
                entry(word, try reader.string(), nil, [])
            }
        }
        guard peek() == nil else { throw Self.malformed }
    }

    private mutating func object(
        _ member: (inout LexiconJSON, String) throws(EngineError) -> Void
    ) throws(EngineError) {
        try expect("{")
        if peek() == UInt8(ascii: "}") { return try expect("}") }
        while true {
            let key = try string()
            try expect(":")
            try member(&self, key)
            guard peek() == UInt8(ascii: ",") else { return try expect("}") }
            try expect(",")
        }
    }

    /// The next byte other than white space.
    private mutating func peek() -> UInt8? {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
        return index < bytes.count ? bytes[index] : nil
    }

    private mutating func expect(_ text: StaticString) throws(EngineError) {
        _ = peek()
        for offset in 0..<text.utf8CodeUnitCount {
            guard index < bytes.count, bytes[index] == text.utf8Start[offset] else { throw Self.malformed }
            index += 1
        }
    }

    private mutating func string() throws(EngineError) -> String {
        try expect("\"")
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
            guard bytes[index] >= 0x20 else { throw Self.malformed }
            index += 1
        }
        var text = String(decoding: bytes[start..<index], as: UTF8.self)
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                text.unicodeScalars.append(try escape())
            } else {
                let start = index
                while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                    bytes[index] != UInt8(ascii: "\\")
                { index += 1 }
                guard index > start else { throw Self.malformed }
                text += String(decoding: bytes[start..<index], as: UTF8.self)
            }
        }
        try expect("\"")
        return text
    }

    private mutating func escape() throws(EngineError) -> Unicode.Scalar {
        guard index + 1 < bytes.count else { throw Self.malformed }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"):
            let high = try hexadecimal()
            guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
            try expect("\\u")
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw Self.malformed }
            return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
        default: throw Self.malformed
        }
    }

    private static var malformed: EngineError { KokoroFailure.lexicon("is not a list of words and phonemes") }

    private mutating func hexadecimal() throws(EngineError) -> UInt32 {
        guard index + 4 <= bytes.count else { throw Self.malformed }
        defer { index += 4 }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Self.malformed }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
