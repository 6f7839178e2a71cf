import ONNXGraphs

/// The weights of `MatMulNBits`, an operator of ONNX Runtime: whole numbers of four or eight bits. So many of a column in a row
/// form a block, which has a scale of its own.
struct BlockedWeights {
    /// Of the matrix that they stand for.
    let rows: Int
    let columns: Int
    private let bits: Int
    private let blockSize: Int
    private let blockCount: Int
    /// Column after column, block after block; of two numbers in a byte the lower half is the first.
    private let packed: PackedNumbers
    /// One for each block, column after column.
    private let scales: [Float]
    /// As many, or none if it is the middle of the numbers that the bits can say.
    private let zeros: [Float]

    /// The attributes that say how the numbers lie.
    static let sizes = ["K", "N", "bits", "block_size"]
    /// In floats.
    private static let longestStrip = 1 << 16
    private static let largest = 1 << 20

    /// - Parameter zeros: Bytes with as many numbers as the bits allow, each column in bytes of its own; or a float for each block.
    /// - Throws: If the sizes do not fit together.
    init(_ node: GraphNode, packed: PackedNumbers, scales: [Float], zeros: PackedNumbers?) throws(RewriteRefusal) {
        func size(_ name: String) -> Int {
            guard case .integer(let value)? = node[name], (1...Int64(Self.largest)).contains(value) else { return 0 }
            return Int(value)
        }
        (rows, columns, bits, blockSize) = (size("K"), size("N"), size("bits"), size("block_size"))
        guard rows > 0, columns > 0, bits == 4 || bits == 8, blockSize > 0, blockSize.isMultiple(of: 2) else {
            throw RewriteRefusal("a \(node.operation) has sizes that are not known here")
        }
        blockCount = (rows + blockSize - 1) / blockSize
        guard packed.kind == .unsigned, packed.count == columns * blockCount * (blockSize * bits / 8),
            scales.count == columns * blockCount
        else { throw RewriteRefusal("the weights of a \(node.operation) do not fit its sizes") }
        self.packed = packed
        self.scales = scales
        let perByte = 8 / bits
        let zeroBytes = (blockCount + perByte - 1) / perByte
        switch zeros {
        case nil: self.zeros = []
        case let zeros? where zeros.kind == .unsigned && zeros.count == columns * zeroBytes:
            let (bits, blockCount) = (bits, blockCount)
            self.zeros = (0..<columns * blockCount).map { block in
                let (column, inner) = block.quotientAndRemainder(dividingBy: blockCount)
                return Self.number(inner, from: column * zeroBytes, of: zeros, bits: bits)
            }
        case let zeros? where zeros.kind == .half && zeros.count == scales.count: self.zeros = zeros.array
        default: throw RewriteRefusal("the zeros of a \(node.operation) do not fit its sizes")
        }
    }

    /// The matrix, row after row.
    var floats: ComputedFloats {
        let count = rows * columns
        let strips = stride(from: 0, to: count, by: Self.longestStrip).map { [$0..<min($0 + Self.longestStrip, count)] }
        return ComputedFloats(strips: strips) { [self] strip, floats in
            let first = strip * Self.longestStrip
            for place in floats.indices {
                let (row, column) = (first + place).quotientAndRemainder(dividingBy: columns)
                floats[place] = value(row, column)
            }
        }
    }

    private func value(_ row: Int, _ column: Int) -> Float {
        let (inner, place) = row.quotientAndRemainder(dividingBy: blockSize)
        let block = column * blockCount + inner
        let number = Self.number(place, from: block * (blockSize * bits / 8), of: packed, bits: bits)
        return (number - (zeros.isEmpty ? Float(1 << (bits - 1)) : zeros[block])) * scales[block]
    }

    private static func number(_ place: Int, from first: Int, of packed: PackedNumbers, bits: Int) -> Float {
        if bits == 8 { return packed[first + place] }
        let byte = UInt8(packed[first + place / 2])
        return Float(place.isMultiple(of: 2) ? byte & 0xF : byte >> 4)
    }
}
