/// Numbers of one, two or four bytes in a file's memory, in formats other than 32-bit floats, and the floats that they
/// represent.
package struct PackedNumbers: Sendable {
    /// The number format.
    package enum Kind {
        case signed, unsigned, half
        /// Signed 32-bit integers.
        case long

        var byteCount: Int {
            switch self {
            case .signed, .unsigned: 1
            case .half: 2
            case .long: 4
            }
        }

        init?(_ element: GraphTensor.Element?) {
            switch element {
            case .uint8?: self = .unsigned
            case .int8?: self = .signed
            case .int32?: self = .long
            case .float16?: self = .half
            default: return nil
            }
        }
    }

    /// The parameters for dequantizing integers: `(number - zero) * scale`.
    package struct Steps: Sendable {
        /// One scale for all values, or one scale per channel.
        package let scales: [Float]
        /// One zero point per scale, one zero point for all scales, or an empty array if all zero points are 0.
        let zeros: [Float]

        package init(scales: [Float], zeros: [Float]) {
            self.scales = scales
            self.zeros = zeros
        }

        /// Returns the scale and zero point of a channel.
        func of(_ channel: Int) -> (scale: Float, zero: Float) {
            (
                scales.count == 1 ? scales[0] : scales[channel],
                zeros.isEmpty ? 0 : zeros.count == 1 ? zeros[0] : zeros[channel]
            )
        }
    }

    /// How a tensor's values are assigned to scales.
    package enum Channels {
        /// The index on the first axis selects the scale.
        case first
        /// The index on the last axis selects the scale.
        case last
        /// The index on the first of three axes selects the scale or, if there are enough scales, the indices on the
        /// first and last axes together do.
        case firstAndLast
        /// All values share one scale.
        case all
    }

    package let kind: Kind
    package let shape: [Int]
    private enum Storage {
        case memory(UnsafeRawBufferPointer)
        case list([Int32])
    }
    /// The memory never changes.
    nonisolated(unsafe) private let storage: Storage
    package let count: Int

    /// The maximum length of a strip in floats.
    private static let longestStrip = 1 << 16

    /// - Parameter bytes: As many numbers as the shape requires. The bytes must stay valid while this value, a copy of
    ///   it, or anything computed from them exists.
    package init(_ kind: Kind, _ bytes: UnsafeRawBufferPointer, _ shape: [Int]) {
        self.kind = kind
        self.shape = shape
        storage = .memory(bytes)
        count = bytes.count / kind.byteCount
    }

    /// - Parameter integers: The numbers; for half-precision floats, their bits.
    package init(_ kind: Kind, listed integers: [Int32], _ shape: [Int]) {
        self.kind = kind
        self.shape = shape
        storage = .list(integers)
        count = integers.count
    }

    package subscript(_ position: Int) -> Float {
        let bits: Int32 =
            switch (storage, kind) {
            case (.list(let integers), _): integers[position]
            case (.memory(let bytes), .signed), (.memory(let bytes), .unsigned): Int32(bytes[position])
            case (.memory(let bytes), .half): Int32(bytes.loadUnaligned(fromByteOffset: 2 * position, as: UInt16.self))
            case (.memory(let bytes), .long): bytes.loadUnaligned(fromByteOffset: 4 * position, as: Int32.self)
            }
        return switch kind {
        case .signed: Float(Int8(truncatingIfNeeded: bits))
        case .unsigned: Float(bits & 0xFF)
        case .half: Float(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
        case .long: Float(bits)
        }
    }

    /// The numbers without scaling, for small tensors.
    package var array: [Float] { (0..<count).map { self[$0] } }

    /// The values of half-precision floats.
    package var floats: ComputedFloats { computed { numbers, position in numbers[position] } }

    /// Returns the scaled values, in the order of the packed numbers; `nil` unless there is one scale, or one scale per
    /// channel.
    package func floats(_ steps: Steps, _ channels: Channels) -> ComputedFloats? {
        guard let channel = channel(channels, steps) else { return nil }
        return computed { numbers, position in
            let (scale, zero) = steps.of(channel(position))
            return (numbers[position] - zero) * scale
        }
    }

    /// Returns the scaled values with the last two of three axes swapped.
    package func swappedFloats(_ steps: Steps, _ channels: Channels) -> ComputedFloats? {
        guard shape.count == 3, let channel = channel(channels, steps) else { return nil }
        let (rows, columns) = (shape[1], shape[2])
        return computed { numbers, position in
            let (block, inner) = position.quotientAndRemainder(dividingBy: rows * columns)
            let source = block * rows * columns + inner % rows * columns + inner / rows
            let (scale, zero) = steps.of(channel(source))
            return (numbers[source] - zero) * scale
        }
    }

    private func computed(_ value: @escaping @Sendable (PackedNumbers, Int) -> Float) -> ComputedFloats {
        let count = count
        let strips = stride(from: 0, to: count, by: Self.longestStrip).map { [$0..<min($0 + Self.longestStrip, count)] }
        return ComputedFloats(strips: strips) { [self] strip, floats in
            let first = strip * Self.longestStrip
            for position in floats.indices { floats[position] = value(self, first + position) }
        }
    }

    /// Returns a function that maps a number's position to its channel.
    private func channel(_ channels: Channels, _ steps: Steps) -> (@Sendable (Int) -> Int)? {
        let count = steps.scales.count
        guard [0, 1, count].contains(steps.zeros.count), count > 0 else { return nil }
        if count == 1 { return { _ in 0 } }
        guard let first = shape.first, let last = shape.last else { return nil }
        let inner = shape.dropFirst().reduce(1, *)
        switch channels {
        case .first where count == first: return { $0 / inner }
        case .last where count == last: return { $0 % last }
        case .firstAndLast where count == first: return { $0 / inner }
        case .firstAndLast where count == first * last: return { $0 / inner * last + $0 % last }
        default: return nil
        }
    }
}
