import CSynthEnglish
import EngineKit

/// The name lists and tensors of a trained net, as written by `Scripts/tables/train-english`.
///
///     "SYNNETS1", number of lists, for each list: number of names, for each name: number of bytes, UTF-8;
///     number of tensors, for each: kind, rows, columns, and
///         kind 0: the numbers as 32-bit floats,
///         kind 1: a scale for each row as a 32-bit float, the numbers as signed bytes.
///
/// All counts are 32-bit little-endian numbers.
package struct TensorFile {
    let lists: [[String]]
    private var tensors: [Tensor]
    private let path: String

    enum Tensor {
        case floats(rows: Int, columns: Int, [Float])
        case bytes(rows: Int, columns: Int, scales: [Float], FixedBytes)
    }

    package init(_ data: DataBytes) throws {
        var data = data
        path = data.path
        try data.expect("SYNNETS1")
        func count(atMost limit: Int) throws -> Int {
            let count = try data.number()
            guard count <= limit else { throw data.damage }
            return count
        }
        var lists: [[String]] = []
        for _ in 0..<(try count(atMost: 16)) {
            var names: [String] = []
            for _ in 0..<(try count(atMost: 1 << 16)) { names.append(try data.text(try count(atMost: 256))) }
            lists.append(names)
        }
        var tensors: [Tensor] = []
        for _ in 0..<(try count(atMost: 256)) {
            let (kind, rows, columns) = (try data.number(), try count(atMost: 1 << 20), try count(atMost: 1 << 20))
            guard rows * columns <= DataBytes.sizeLimit else { throw data.damage }
            switch kind {
            case 0: tensors.append(.floats(rows: rows, columns: columns, try Self.floats(rows * columns, &data)))
            case 1:
                let scales = try Self.floats(rows, &data)
                let range = try data.skip(rows * columns)
                tensors.append(
                    .bytes(
                        rows: rows, columns: columns, scales: scales, data.bytes[range]))
            default: throw data.damage
            }
        }
        try data.expectEnd()
        self.lists = lists
        self.tensors = tensors.reversed()
    }

    private static func floats(_ count: Int, _ data: inout DataBytes) throws -> [Float] {
        guard count <= data.bytes.count / 4 else { throw data.damage }
        let range = try data.skip(count * 4)
        let floats = data.bytes.withUnsafeBufferPointer { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return (0..<count).map { index in
                Float(
                    bitPattern: UInt32(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound + index * 4, as: UInt32.self)
                    ))
            }
        }
        // A larger magnitude indicates a corrupt file and could lead to non-finite results.
        guard floats.allSatisfy({ abs($0) < 1e4 }) else { throw data.damage }
        return floats
    }

    var damage: EngineError { DataBytes.failure(path, "is damaged") }

    /// Returns the next tensor. Throws if its shape differs from the given shape.
    mutating func matrix(rows: Int, columns: Int) throws -> Matrix {
        guard case .bytes(rows, columns, let scales, let numbers) = tensors.popLast(),
            columns % SYNTH_BYTE_MATRIX_LANES == 0
        else { throw damage }
        return Matrix(rows: rows, columns: columns, scales: scales, numbers: numbers)
    }

    mutating func table(rows: Int? = nil, columns: Int) throws -> EmbeddingTable {
        guard case .bytes(let found, columns, let scales, let numbers) = tensors.popLast(), found == rows ?? found,
            found > 0
        else { throw damage }
        return EmbeddingTable(rows: found, columns: columns, scales: scales, numbers: numbers)
    }

    mutating func bias(_ count: Int) throws -> [Float] {
        guard case .floats(1, count, let numbers) = tensors.popLast() else { throw damage }
        return numbers
    }

    func expectEnd() throws {
        guard tensors.isEmpty else { throw damage }
    }
}

/// A lookup table, stored as bytes.
struct EmbeddingTable: Sendable {
    let rows: Int
    let columns: Int
    let scales: [Float]
    /// The values as signed bytes.
    let numbers: FixedBytes

    /// Adds a row of the table to `vector`, starting at `offset`.
    func add(_ row: Int, to vector: inout [Float], at offset: Int) {
        let scale = scales[row]
        numbers.withUnsafeBufferPointer { numbers in
            for column in 0..<columns {
                vector[offset + column] += scale * Float(Int8(bitPattern: numbers[row * columns + column]))
            }
        }
    }
}

/// A byte matrix for multiplication with vectors.
struct Matrix: Sendable {
    let rows: Int
    let columns: Int
    let scales: [Float]
    /// The values as signed bytes.
    let numbers: FixedBytes

    /// Multiplies the matrix by the part of `vector` that starts at `offset` and adds the product to `sums`.
    func multiply(_ vector: [Float], at offset: Int = 0, addingTo sums: inout [Float]) {
        precondition(offset >= 0 && offset + columns <= vector.count && sums.count >= rows)
        vector.withUnsafeBufferPointer { vector in
            sums.withUnsafeMutableBufferPointer { sums in
                guard let vector = vector.baseAddress, let sums = sums.baseAddress else { return }
                numbers.withUnsafeBufferPointer { numbers in
                    guard let numbers = UnsafeRawPointer(numbers.baseAddress) else { return }
                    synth_byte_matrix_add_product(
                        numbers.assumingMemoryBound(to: Int8.self), scales, rows, columns, vector + offset, sums)
                }
            }
        }
    }
}
