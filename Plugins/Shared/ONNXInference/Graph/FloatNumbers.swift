/// Floats of a constant: in an array, or where they lie in the memory of a file, because a copy would cost more than what is computed
/// of them.
struct FloatNumbers: Sendable {
    private enum Storage {
        case array([Float])
        case memory(UnsafeBufferPointer<Float>)
    }
    /// Nobody writes to it.
    nonisolated(unsafe) private let storage: Storage

    init(_ numbers: [Float]) { storage = .array(numbers) }

    /// Floats in the order of this machine, which is little-endian, as ONNX has it. Those at an odd address are copied.
    ///
    /// - Parameter bytes: They must stay valid as long as this value and its copies.
    init(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count / MemoryLayout<Float>.stride
        if let start = bytes.baseAddress, UInt(bitPattern: start).isMultiple(of: UInt(MemoryLayout<Float>.alignment)) {
            storage = .memory(UnsafeBufferPointer(start: start.assumingMemoryBound(to: Float.self), count: count))
        } else {
            storage = .array(ProtobufMessage.floats(bytes, 0..<bytes.count))
        }
    }

    var count: Int {
        switch storage {
        case .array(let numbers): numbers.count
        case .memory(let numbers): numbers.count
        }
    }

    /// A copy, unless they are in one.
    var array: [Float] {
        switch storage {
        case .array(let numbers): numbers
        case .memory(let numbers): Array(numbers)
        }
    }

    func withFloats<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
        switch storage {
        case .array(let numbers): try numbers.withUnsafeBufferPointer(body)
        case .memory(let numbers): try body(numbers)
        }
    }
}
