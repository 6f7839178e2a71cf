/// A constant's floats: an array, or mapped memory if copying the floats would take longer than using them.
package struct FloatNumbers: Sendable {
    private enum Storage {
        case array([Float])
        case memory(UnsafeBufferPointer<Float>)
    }
    /// The memory never changes.
    nonisolated(unsafe) private let storage: Storage

    package init(_ numbers: [Float]) { storage = .array(numbers) }

    /// Creates numbers from floats in the machine's byte order, which is little-endian, as in ONNX. Misaligned floats
    /// are copied.
    ///
    /// - Parameter bytes: The floats. They must stay valid while this value or a copy of it exists.
    package init(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count / MemoryLayout<Float>.stride
        if let start = bytes.baseAddress, UInt(bitPattern: start).isMultiple(of: UInt(MemoryLayout<Float>.alignment)) {
            storage = .memory(UnsafeBufferPointer(start: start.assumingMemoryBound(to: Float.self), count: count))
        } else {
            storage = .array(ProtobufMessage.floats(bytes, 0..<bytes.count))
        }
    }

    package var count: Int {
        switch storage {
        case .array(let numbers): numbers.count
        case .memory(let numbers): numbers.count
        }
    }

    /// The floats as an array, copied if necessary.
    package var array: [Float] {
        switch storage {
        case .array(let numbers): numbers
        case .memory(let numbers): Array(numbers)
        }
    }

    package func withFloats<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) rethrows -> Result {
        switch storage {
        case .array(let numbers): try numbers.withUnsafeBufferPointer(body)
        case .memory(let numbers): try body(numbers)
        }
    }
}

/// Floats that are computed on demand, strip by strip. Most are merely written to a file, so only a few have to be in
/// memory at once.
package struct ComputedFloats: Sendable {
    package let count: Int
    /// The ranges of each strip's floats, in the order of computation.
    private let strips: [[Range<Int>]]
    private let fill: @Sendable (Int, UnsafeMutableBufferPointer<Float>) -> Void

    /// - Parameters:
    ///   - strips: Ranges that together cover each position exactly once.
    ///   - fill: Computes all floats of a strip. It may be called on any thread, and must always produce the same values.
    package init(
        strips: [[Range<Int>]],
        _ fill: @escaping @Sendable (_ strip: Int, _ floats: UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        count = strips.joined().reduce(0) { $0 + $1.count }
        self.strips = strips
        self.fill = fill
    }

    /// The number of floats that `forEach` needs as scratch memory.
    var longestStrip: Int { strips.map { $0.reduce(0) { $0 + $1.count } }.max() ?? 0 }

    /// Computes all floats strip by strip and passes each range of floats to `body`, along with the position of its
    /// first float.
    ///
    /// - Parameter scratch: Memory for `longestStrip` floats.
    func forEach<Failure: Error>(
        in scratch: UnsafeMutableBufferPointer<Float>,
        _ body: (_ position: Int, _ floats: UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        for (number, ranges) in strips.enumerated() {
            let length = ranges.reduce(0) { $0 + $1.count }
            fill(number, UnsafeMutableBufferPointer(rebasing: scratch[..<length]))
            var start = 0
            for range in ranges {
                try body(range.lowerBound, UnsafeBufferPointer(rebasing: scratch[start..<start + range.count]))
                start += range.count
            }
        }
    }

    package var array: [Float] {
        [Float](unsafeUninitializedCapacity: count) { result, initialized in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: longestStrip) { scratch in
                forEach(in: scratch) { position, floats in
                    _ = UnsafeMutableBufferPointer(rebasing: result[position..<position + floats.count])
                        .initialize(fromContentsOf: floats)
                }
            }
            initialized = count
        }
    }
}
