import CSynthVectorKernels
import Testing

@testable import SynthGraphRewriting
@testable import SynthInference

@Suite("The NarrowProduct kernel") struct NarrowProductTests {
    @Test(
        "The result matches that of a plain product for every number of rows and both layouts",
        arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 17], [false, true])
    func numbers(rows: Int, isTransposed: Bool) {
        // Sizes that are not multiples of a vector's width.
        for (depth, columns) in [(1, 1), (7, 40), (16, 32), (37, 101), (64, 96)] {
            func number(_ index: Int) -> Float { Float((index * 7919) % 1009) / 504 - 1 }
            let input = (0..<rows * depth).map { number($0) }
            let matrix = (0..<depth * columns).map { number($0 + 31) }
            var found = [Float](repeating: .nan, count: rows * columns)
            // Each part is computed on its own, as on several threads.
            for (first, last) in [(0, columns / 2), (columns / 2, columns)] {
                vector_narrow_product(
                    input, rows, depth, matrix, columns, isTransposed ? 1 : 0, first, last, &found)
            }
            for row in 0..<rows {
                for column in 0..<columns {
                    let expected = (0..<depth).reduce(0.0) { sum, place in
                        let weight = matrix[isTransposed ? column * depth + place : place * columns + column]
                        return sum + Double(input[row * depth + place]) * Double(weight)
                    }
                    let isClose = abs(Double(found[row * columns + column]) - expected) < 1e-4
                    #expect(isClose, "row \(row), column \(column) of \(depth) by \(columns)")
                }
            }
        }
    }

    private func run(
        _ rows: [Float], _ shape: [Int64], by matrix: [Float], _ sizes: [Int64], isTransposed: Bool
    ) throws -> (numbers: [Float]?, shape: [Int64]) {
        let node = NarrowProduct.node(["rows", "matrix"], "output", isTransposed: isTransposed)
        let session = try InferenceSession(bytes: ProbeModel.bytes(node), try KernelDomain.runtime)
        let output = try session.run(
            [("rows", InferenceTensor(rows, shape: shape)), ("matrix", InferenceTensor(matrix, shape: sizes))],
            outputs: ["output"], as: InferenceRun())[0]
        return (output.floats(), output.shape)
    }

    @Test("The operator computes rows of any shape", arguments: [false, true])
    func shapes(isTransposed: Bool) throws {
        let sizes: [Int64] = isTransposed ? [3, 2] : [2, 3]
        let matrix: [Float] = isTransposed ? [1, 4, 2, 5, 3, 6] : [1, 2, 3, 4, 5, 6]
        let found = try run([1, 10, 2, 20], [1, 2, 2], by: matrix, sizes, isTransposed: isTransposed)
        #expect(found.numbers == [41, 52, 63, 82, 104, 126] && found.shape == [1, 2, 3])
        #expect(try run([1, 10], [2], by: matrix, sizes, isTransposed: isTransposed).shape == [3])
        let empty = try run([], [2, 0], by: [], isTransposed ? [3, 0] : [0, 3], isTransposed: isTransposed)
        #expect(empty.numbers == [0, 0, 0, 0, 0, 0])
        #expect(try run([], [0, 2], by: matrix, sizes, isTransposed: isTransposed).shape == [0, 3])
    }

    @Test("Mismatched shapes cause an error", arguments: [false, true])
    func wrongShapes(isTransposed: Bool) {
        #expect(throws: InferenceError.self) {
            try run([1, 2, 3], [1, 3], by: [1, 2, 3, 4], [2, 2], isTransposed: isTransposed)
        }
        #expect(throws: InferenceError.self) {
            try run([1, 2], [1, 2], by: [1, 2], [2], isTransposed: isTransposed)
        }
    }
}
