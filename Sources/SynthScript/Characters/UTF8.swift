package import SynthSystem

/// Decodes scalars from valid UTF-8.
package enum UTF8Cursor {
    package static func length(ofLead byte: UInt8) -> Int {
        if byte < 0x80 { return 1 }
        if byte < 0xE0 { return 2 }
        return byte < 0xF0 ? 3 : 4
    }

    /// Decodes the scalar that starts at `index`.
    package static func scalar(at index: Int, in bytes: Span<UInt8>) -> (value: UInt32, length: Int) {
        let lead = bytes[index]
        let length = length(ofLead: lead)
        var value = length == 1 ? UInt32(lead) : UInt32(lead & (0xFF >> UInt8(length + 1)))
        for offset in 1..<max(length, 1) { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return (value, length)
    }

    /// Returns the start of the scalar before `index`, which must be greater than `floor`.
    static func start(before index: Int, floor: Int, in bytes: Span<UInt8>) -> Int {
        var start = index - 1
        while start > floor, UTF8.isContinuation(bytes[start]) { start -= 1 }
        return start
    }

    package static func string(_ range: Range<Int>, of bytes: Span<UInt8>) -> String {
        bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

/// Checks that bytes are valid UTF-8 according to table 3-7 of the Unicode Standard (no overlong forms, no surrogates,
/// nothing above U+10FFFF). Characters may be split across chunks.
package struct UTF8Validator: Sendable {
    /// The number of validated bytes, which is also the document offset of the next byte.
    package private(set) var offset = 0
    /// The number of bytes (0 to 3) in an incomplete character at the end of the validated bytes.
    package private(set) var incompleteBytes = 0
    private var missingBytes = 0
    private var lead: UInt8 = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF
    private var failure: SpeechError?

    package init() {}

    /// Validates the next chunk. After an error, all further calls throw the same error, and `offset` stays at the
    /// first byte of the malformed character.
    package mutating func validate(_ bytes: Span<UInt8>) throws(SpeechError) {
        if let failure { throw failure }
        let chunk = offset
        let count = bytes.count
        let raw = bytes.bytes
        var index = 0
        while index < count {
            if missingBytes == 0 {
                index = Self.endOfASCII(in: raw, from: index)
                guard index < count else { break }
                try open(bytes[index], at: chunk + index)
            } else {
                let byte = bytes[index]
                guard byte >= lowest, byte <= highest else { try fail(before: byte, at: chunk + index) }
                (lowest, highest) = (0x80, 0xBF)
                missingBytes -= 1
                incompleteBytes = missingBytes == 0 ? 0 : incompleteBytes + 1
            }
            index += 1
        }
        offset = chunk + count
    }

    /// Marks the end of the document.
    ///
    /// - Throws: `textInvalid` if the document ends within a character, or the error that `validate` has already thrown.
    package mutating func finish() throws(SpeechError) {
        if let failure { throw failure }
        guard missingBytes == 0 else {
            let isLoneMark = offset == 1 && lead >= 0xFE
            let start = offset - incompleteBytes
            throw remember(
                isLoneMark ? .invalidUTF8(offset: 0, byte: lead) : .truncatedUTF8(offset: start), offset: start)
        }
    }

    private mutating func open(_ byte: UInt8, at position: Int) throws(SpeechError) {
        switch byte {
        case 0xC2...0xDF: missingBytes = 1
        case 0xE0: (missingBytes, lowest) = (2, 0xA0)
        case 0xED: (missingBytes, highest) = (2, 0x9F)
        case 0xE1...0xEF: missingBytes = 2
        case 0xF0: (missingBytes, lowest) = (3, 0x90)
        case 0xF1...0xF3: missingBytes = 3
        case 0xF4: (missingBytes, highest) = (3, 0x8F)
        case 0xFE where position == 0,
            0xFF where position == 0:
            // The next byte determines whether the text is UTF-16. The empty range rejects all continuation bytes.
            (missingBytes, lowest, highest) = (1, 1, 0)
        default: throw remember(.invalidUTF8(offset: position, byte: byte), offset: position)
        }
        lead = byte
        incompleteBytes = 1
    }

    private mutating func fail(before byte: UInt8, at position: Int) throws(SpeechError) -> Never {
        let start = position - incompleteBytes
        let isUTF16 = start == 0 && (lead == 0xFF && byte == 0xFE || lead == 0xFE && byte == 0xFF)
        throw remember(isUTF16 ? .utf16 : .invalidUTF8(offset: start, byte: lead), offset: start)
    }

    private mutating func remember(_ error: SpeechError, offset position: Int) -> SpeechError {
        failure = error
        offset = position
        return error
    }

    private static func endOfASCII(in raw: RawSpan, from first: Int) -> Int {
        let count = raw.byteCount
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var index = first
        while count - index >= 32 {
            let first = raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            let second = raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index + 8, as: UInt64.self)
            let third = raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index + 16, as: UInt64.self)
            let fourth = raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index + 24, as: UInt64.self)
            guard (first | second | third | fourth) & highBits == 0 else { break }
            index += 32
        }
        while index < count, raw.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self) < 0x80 { index += 1 }
        return index
    }
}

/// Errors for text that cannot be decoded. Offsets are byte offsets in the document.
extension SpeechError {
    /// The error for a byte that is not valid UTF-8 at its position.
    ///
    /// - Parameter offset: the first byte of the malformed character.
    package static func invalidUTF8(offset: Int, byte: UInt8) -> SpeechError {
        let digits = String(byte, radix: 16, uppercase: true)
        return SpeechError(
            .textInvalid,
            "The text is not UTF-8: invalid byte 0x\(byte < 16 ? "0" : "")\(digits) at offset \(offset).",
            Facts(byte: offset), remedy: .convertText(from: "latin1"))
    }

    /// The error for a document that ends in the middle of the character that starts at `offset`.
    package static func truncatedUTF8(offset: Int) -> SpeechError {
        SpeechError(
            .textInvalid, "The text ends in the middle of a character: the character at byte \(offset) is incomplete.",
            Facts(byte: offset), remedy: .completeText)
    }

    /// The error for a document that starts with a UTF-16 byte order mark.
    package static let utf16 = SpeechError(
        .textInvalid, "The text is UTF-16, not UTF-8.", Facts(byte: 0), remedy: .convertText(from: "utf-16"))
}
