/// Reading scalars out of valid UTF-8.
enum UTF8Cursor {
    static func length(ofLead byte: UInt8) -> Int {
        if byte < 0x80 { return 1 }
        if byte < 0xE0 { return 2 }
        return byte < 0xF0 ? 3 : 4
    }

    static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xC0 == 0x80
    }

    /// The scalar whose first byte is at `index`.
    static func scalar(at index: Int, in bytes: Span<UInt8>) -> (value: UInt32, length: Int) {
        let lead = bytes[index]
        let length = length(ofLead: lead)
        var value = length == 1 ? UInt32(lead) : UInt32(lead & (0xFF >> UInt8(length + 1)))
        for offset in 1..<max(length, 1) { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return (value, length)
    }

    /// The first byte of the scalar before `index`, which is above `floor`.
    static func start(before index: Int, floor: Int, in bytes: Span<UInt8>) -> Int {
        var start = index - 1
        while start > floor, isContinuation(bytes[start]) { start -= 1 }
        return start
    }

    static func string(_ range: Range<Int>, of bytes: Span<UInt8>) -> String {
        bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
