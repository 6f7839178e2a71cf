/// Numbers that a rewrite made. They may be large, so they are written as they are and not copied before.
package enum MadeNumbers: Sendable {
    case floats([Float])
    case computed(ComputedFloats)
    case integers([Int64])

    var byteCount: Int {
        switch self {
        case .floats(let numbers): numbers.count * MemoryLayout<Float>.stride
        case .computed(let numbers): numbers.count * MemoryLayout<Float>.stride
        case .integers(let numbers): numbers.count * MemoryLayout<Int64>.stride
        }
    }

    /// In the order of this machine, which is little-endian, as ONNX wants it.
    func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case .floats(let numbers): try Self.withBytes(numbers, body)
        case .computed(let numbers): try Self.withBytes(numbers.array, body)
        case .integers(let numbers): try Self.withBytes(numbers, body)
        }
    }

    /// How many floats `forEach` needs memory for.
    var longestStrip: Int { if case .computed(let numbers) = self { numbers.longestStrip } else { 0 } }

    /// The same in one or more pieces, with the offset of each.
    ///
    /// - Parameter scratch: Memory for `longestStrip` floats.
    func forEach<Failure: Error>(
        in scratch: UnsafeMutableBufferPointer<Float>,
        _ body: (_ offset: Int, _ bytes: UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard case .computed(let numbers) = self else {
            return try withBytes { (bytes) throws(Failure) in try body(0, bytes) }
        }
        try numbers.forEach(in: scratch) { (place, floats) throws(Failure) in
            try body(place * MemoryLayout<Float>.stride, UnsafeRawBufferPointer(floats))
        }
    }

    private static func withBytes<Number: BitwiseCopyable, Value, Failure: Error>(
        _ numbers: [Number], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = numbers.withUnsafeBytes { bytes in Result { () throws(Failure) in try body(bytes) } }
        return try result.get()
    }
}
