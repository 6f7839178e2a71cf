/// Builds a protobuf message.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: UInt64, _ content: some Collection<UInt8>) {
        append(integer: number << 3 | 2)
        append(integer: UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Appends a field copied from another message, with its key.
    mutating func append(whole content: some Sequence<UInt8>) {
        bytes.append(contentsOf: content)
    }

    private mutating func append(integer: UInt64) {
        var rest = integer
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
