/// A message inside of a model's bytes.
struct ProtobufMessage {
    let memory: UnsafeRawBufferPointer
    let range: Range<Int>

    /// Calls `body` with each field, in order.
    func forEach(_ body: (ProtobufFields.Field) throws(ProtobufError) -> Void) throws(ProtobufError) {
        var fields = ProtobufFields(memory, in: range)
        while let field = try fields.next() { try body(field) }
    }

    func message(_ range: Range<Int>) -> ProtobufMessage {
        ProtobufMessage(memory: memory, range: range)
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: memory[range], as: UTF8.self)
    }

    /// Copies the message field by field. `replace` returns whether it has handled the field itself.
    func rewritten(
        _ replace: (ProtobufFields.Field, inout ProtobufWriter) throws(ProtobufError) -> Bool
    ) throws(ProtobufError) -> [UInt8] {
        var writer = ProtobufWriter()
        try forEach { (field) throws(ProtobufError) in
            if try !replace(field, &writer) { writer.append(whole: memory[field.whole]) }
        }
        return writer.bytes
    }

    /// The integers of a field that is packed or stands alone.
    func integers(_ field: ProtobufFields.Field) throws(ProtobufError) -> [Int64] {
        switch field.value {
        case .integer(let value): return [Int64(bitPattern: value)]
        case .fixed: throw ProtobufError(offset: field.whole.lowerBound)
        case .bytes(let range):
            var numbers: [Int64] = []
            var fields = ProtobufFields(memory, in: range)
            while let number = try fields.nextInteger() { numbers.append(Int64(bitPattern: number)) }
            return numbers
        }
    }

    /// The floats of a field that is packed or stands alone.
    func floats(_ field: ProtobufFields.Field) throws(ProtobufError) -> [Float] {
        switch field.value {
        case .fixed(let range) where range.count == 4: return ProtobufMessage.floats(memory, range)
        case .bytes(let range) where range.count.isMultiple(of: 4): return ProtobufMessage.floats(memory, range)
        default: throw ProtobufError(offset: field.whole.lowerBound)
        }
    }

    /// Floats at any alignment, in the order of this machine, which is little-endian. The range is inside of the memory.
    static func floats(_ memory: UnsafeRawBufferPointer, _ range: Range<Int>) -> [Float] {
        let count = range.count / 4
        return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            let numbers = memory[range.lowerBound..<range.lowerBound + 4 * count]
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: numbers))
            filled = count
        }
    }
}
