/// Iterates over the fields of one protobuf message, in order.
///
/// It copies nothing and reads only keys and lengths, so a model's weights are skipped unread. Every length is checked
/// against the range: any input gives fields or a `ProtobufError`, and nothing outside the range is read. The format is
/// that of protobuf's encoding guide. The deprecated groups are refused, because ONNX has none.
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
        /// The field with its key, for copying.
        var whole: Range<Int>

        /// The content of a length-delimited field.
        var bytes: Range<Int>? {
            if case .bytes(let range) = value { range } else { nil }
        }
    }

    private let memory: UnsafeRawBufferPointer
    private let end: Int
    private var position: Int

    /// `memory` must stay valid while this value is used. `range` is cut to it.
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

    /// The next number of a range that holds packed numbers instead of fields.
    mutating func nextInteger() throws(ProtobufError) -> UInt64? {
        position < end ? try integer() : nil
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
