/// Numbers that a rewrite made. They may be large, so they are written as they are and not copied before.
package enum MadeNumbers {
    case floats([Float])
    case integers([Int64])

    var byteCount: Int { withBytes(\.count) }

    /// In the order of this machine, which is little-endian, as ONNX wants it.
    func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case .floats(let numbers): try Self.withBytes(numbers, body)
        case .integers(let numbers): try Self.withBytes(numbers, body)
        }
    }

    private static func withBytes<Number: BitwiseCopyable, Value, Failure: Error>(
        _ numbers: [Number], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = numbers.withUnsafeBytes { bytes in Result { () throws(Failure) in try body(bytes) } }
        return try result.get()
    }
}
