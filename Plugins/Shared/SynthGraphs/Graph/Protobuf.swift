/// Iterates over the fields of a protobuf message in order.
///
/// The iterator copies nothing and reads only keys and lengths, so it skips a model's weights without reading them. It
/// checks every length against the range, so it never reads outside the range, and any input yields either fields or an
/// `InferenceError`. The format is described in protobuf's encoding guide. Deprecated groups are an error, because ONNX
/// does not use them.
package struct ProtobufFields {
    package struct Field {
        enum Value {
            case integer(UInt64)
            /// A number of 4 or 8 bytes.
            case fixed(Range<Int>)
            /// A string, a message, or packed numbers.
            case bytes(Range<Int>)
        }

        package var number: UInt64
        var value: Value
        /// The range of the field including its key, for copying.
        var whole: Range<Int>

        /// The content range of a length-delimited field.
        package var bytes: Range<Int>? {
            if case .bytes(let range) = value { range } else { nil }
        }
    }

    private let memory: UnsafeRawBufferPointer
    private let end: Int
    private var position: Int

    /// `memory` must stay valid while this value is used. `range` is clamped to the bounds of `memory`.
    init(_ memory: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.memory = memory
        let range = range.clamped(to: 0..<memory.count)
        self.position = range.lowerBound
        self.end = range.upperBound
    }

    init(_ memory: UnsafeRawBufferPointer) {
        self.init(memory, in: 0..<memory.count)
    }

    mutating func next() throws -> Field? {
        guard position < end else { return nil }
        let start = position
        let key = try integer()
        let number = key >> 3
        guard number > 0 else { throw InferenceError.damaged(offset: start) }
        let value: Field.Value
        switch key & 7 {
        case 0: value = .integer(try integer())
        case 1: value = .fixed(try take(8))
        case 2: value = .bytes(try take(try integer()))
        case 5: value = .fixed(try take(4))
        default: throw InferenceError.damaged(offset: start)
        }
        return Field(number: number, value: value, whole: start..<position)
    }

    /// Reads the next number of a range that contains packed numbers instead of fields.
    mutating func nextInteger() throws -> UInt64? {
        position < end ? try integer() : nil
    }

    private mutating func integer() throws -> UInt64 {
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
        throw InferenceError.damaged(offset: start)
    }

    private mutating func take(_ count: UInt64) throws -> Range<Int> {
        guard count <= UInt64(end - position) else { throw InferenceError.damaged(offset: position) }
        let start = position
        position += Int(count)
        return start..<position
    }
}

/// A protobuf message in a model's bytes.
package struct ProtobufMessage {
    let memory: UnsafeRawBufferPointer
    let range: Range<Int>

    package init(memory: UnsafeRawBufferPointer, range: Range<Int>) {
        self.memory = memory
        self.range = range
    }

    /// Calls `body` with each field in order.
    package func forEach(_ body: (ProtobufFields.Field) throws -> Void) throws {
        var fields = ProtobufFields(memory, in: range)
        while let field = try fields.next() { try body(field) }
    }

    /// Calls `body` with each field of the messages at the end of a path of nested messages.
    ///
    /// - Parameter path: The numbers of the fields that contain the messages.
    func forEach(in path: ArraySlice<UInt64>, _ body: (ProtobufFields.Field) throws -> Void) throws {
        guard let number = path.first else { return try forEach(body) }
        try forEach { field in
            guard field.number == number, let range = field.bytes else { return }
            try message(range).forEach(in: path.dropFirst(), body)
        }
    }

    package func message(_ range: Range<Int>) -> ProtobufMessage {
        ProtobufMessage(memory: memory, range: range)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: memory[range], as: UTF8.self)
    }

    /// Copies the message field by field. If `replace` returns true, it has written the field itself, so the field is
    /// not copied.
    func rewritten(
        _ replace: (ProtobufFields.Field, inout ProtobufWriter) throws -> Bool
    ) throws -> [UInt8] {
        var writer = ProtobufWriter()
        try forEach { field in
            if try !replace(field, &writer) { writer.append(whole: memory[field.whole]) }
        }
        return writer.bytes
    }

    /// Returns a field's integers, in packed or unpacked form.
    func integers(_ field: ProtobufFields.Field) throws -> [Int64] {
        switch field.value {
        case .integer(let value): return [Int64(bitPattern: value)]
        case .fixed: throw InferenceError.damaged(offset: field.whole.lowerBound)
        case .bytes(let range):
            var numbers: [Int64] = []
            var fields = ProtobufFields(memory, in: range)
            while let number = try fields.nextInteger() { numbers.append(Int64(bitPattern: number)) }
            return numbers
        }
    }

    /// Returns a field's floats, in packed or unpacked form.
    func floats(_ field: ProtobufFields.Field) throws -> [Float] {
        switch field.value {
        case .fixed(let range) where range.count == 4: return ProtobufMessage.floats(memory, range)
        case .bytes(let range) where range.count.isMultiple(of: 4): return ProtobufMessage.floats(memory, range)
        default: throw InferenceError.damaged(offset: field.whole.lowerBound)
        }
    }

    /// Reads floats of any alignment in the machine's byte order, which is little-endian. The range must be within the
    /// memory.
    static func floats(_ memory: UnsafeRawBufferPointer, _ range: Range<Int>) -> [Float] {
        let count = range.count / 4
        return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            let numbers = memory[range.lowerBound..<range.lowerBound + 4 * count]
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: numbers))
            filled = count
        }
    }
}

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

    /// Appends a field from another message, including its key.
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
