/// Walks over the fields of one protobuf message, in the order in which they stand.
///
/// It copies nothing and looks only at keys and lengths, so a model's weights are stepped over unread. Every length is
/// checked against the range; any input ends in fields or in a `ProtobufError`, never outside of the range.
/// The format is that of protobuf's encoding guide; the deprecated groups are refused, as ONNX has none.
struct ProtobufFields {
    struct Field {
        enum Value {
            case integer(UInt64)
            /// 4 or 8 bytes.
            case fixed(Range<Int>)
            /// A string, a message, or packed numbers.
            case bytes(Range<Int>)
        }

        var number: UInt64
        var value: Value
        /// The field with its key, to copy it as it is.
        var whole: Range<Int>

        /// The content of a length-delimited field.
        var bytes: Range<Int>? {
            if case .bytes(let range) = value { range } else { nil }
        }
    }

    private let memory: UnsafeRawBufferPointer
    private let end: Int
    private var position: Int

    /// `memory` stays valid while this is used. A `range` that leaves it is cut.
    init(_ memory: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.memory = memory
        let range = range.clamped(to: 0..<memory.count)
        self.position = range.lowerBound
        self.end = range.upperBound
    }

    init(_ memory: UnsafeRawBufferPointer) {
        self.init(memory, in: 0..<memory.count)
    }

    mutating func next() throws(ProtobufError) -> Field? {
        guard position < end else { return nil }
        let start = position
        let key = try integer()
        let number = key >> 3
        guard number > 0 else { throw ProtobufError(offset: start) }
        let value: Field.Value
        switch key & 7 {
        case 0: value = .integer(try integer())
        case 1: value = .fixed(try take(8))
        case 2: value = .bytes(try take(try integer()))
        case 5: value = .fixed(try take(4))
        default: throw ProtobufError(offset: start)
        }
        return Field(number: number, value: value, whole: start..<position)
    }

    private mutating func integer() throws(ProtobufError) -> UInt64 {
        let start = position
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard position < end else { break }
            let byte = memory[position]
            position += 1
            guard shift < 63 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw ProtobufError(offset: start)
    }

    private mutating func take(_ count: UInt64) throws(ProtobufError) -> Range<Int> {
        guard count <= UInt64(end - position) else { throw ProtobufError(offset: position) }
        let start = position
        position += Int(count)
        return start..<position
    }
}
