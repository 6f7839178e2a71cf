/// Builds a protobuf message.
package struct ProtobufWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ number: UInt64, _ content: some Collection<UInt8>) {
        append(varint: number << 3 | 2)
        append(varint: UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    package mutating func append(_ number: UInt64, _ text: String) {
        append(number, text.utf8)
    }

    package mutating func append(_ number: UInt64, integer: Int64) {
        append(varint: number << 3)
        append(varint: UInt64(bitPattern: integer))
    }

    package mutating func append(_ number: UInt64, float: Float) {
        append(varint: number << 3 | 5)
        withUnsafeBytes(of: float.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a field copied from another message, with its key.
    package mutating func append(whole content: some Sequence<UInt8>) {
        bytes.append(contentsOf: content)
    }

    private mutating func append(varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
