/// Base64 encoding of bytes in JSON strings (RFC 4648, section 4).
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8?] = (0...255).map { byte in digits.firstIndex(of: byte).map { UInt8($0) } }

    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < part.count ? Int(bytes[start + $1]) : 0) }
            for digit in 0..<4 {
                text.append(digit <= part.count ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil if the text contains characters other than base64 digits, or does not consist of complete groups of
    /// four.
    package static func bytes(of text: String) -> [UInt8]? {
        let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.utf8.count.isMultiple(of: 4), padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var bits = 0
        for (place, digit) in text.utf8.dropLast(padding).enumerated() {
            guard let value = values[Int(digit)] else { return nil }
            bits = (bits << 6 | Int(value)) & 0xFFFF
            // Each digit of a group except the first completes a byte.
            if place % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - place % 4 * 2))) }
        }
        return bytes
    }
}

/// Bytes encoded as base64 in JSON.
package struct BytesAsText: Codable, Equatable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let bytes = Base64.bytes(of: try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "this is not valid base64")
        }
        self.bytes = bytes
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Base64.text(of: bytes))
    }
}
