/// Floats of a constant: in an array, or where they lie in the memory of a file, because a copy would cost more than what is computed
/// of them.
package struct FloatNumbers: Sendable {
    private enum Storage {
        case array([Float])
        case memory(UnsafeBufferPointer<Float>)
    }
    /// Nobody writes to it.
    nonisolated(unsafe) private let storage: Storage

    package init(_ numbers: [Float]) { storage = .array(numbers) }

    /// Floats in the order of this machine, which is little-endian, as ONNX has it. Those at an odd address are copied.
    ///
    /// - Parameter bytes: They must stay valid as long as this value and its copies.
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

    /// A copy, unless they are in one.
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

/// Floats that are computed when they are needed, strip by strip: most are only written to a file, and then few are in memory at once.
package struct ComputedFloats: Sendable {
    package let count: Int
    /// Where the floats of each strip belong, in the order in which they are computed.
    private let strips: [[Range<Int>]]
    private let fill: @Sendable (Int, UnsafeMutableBufferPointer<Float>) -> Void

    /// - Parameters:
    ///   - strips: Each place belongs to one of them.
    ///   - fill: Gives each float of a strip a value. Any thread; each call gives the same ones.
    package init(
        strips: [[Range<Int>]],
        _ fill: @escaping @Sendable (_ strip: Int, _ floats: UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        count = strips.joined().reduce(0) { $0 + $1.count }
        self.strips = strips
        self.fill = fill
    }

    /// How many floats `forEach` needs memory for.
    var longestStrip: Int { strips.map { $0.reduce(0) { $0 + $1.count } }.max() ?? 0 }

    /// Computes all floats and hands them over, with the place of the first of them.
    ///
    /// - Parameter scratch: Memory for `longestStrip` floats.
    func forEach<Failure: Error>(
        in scratch: UnsafeMutableBufferPointer<Float>,
        _ body: (_ place: Int, _ floats: UnsafeBufferPointer<Float>) throws(Failure) -> Void
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
                forEach(in: scratch) { place, floats in
                    _ = UnsafeMutableBufferPointer(rebasing: result[place..<place + floats.count])
                        .initialize(fromContentsOf: floats)
                }
            }
            initialized = count
        }
    }
}
