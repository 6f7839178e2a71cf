import CSynthVectorKernels
import Testing

@Suite("The NarrowProduct kernel") struct NarrowProductTests {
    @Test(
        "The result matches a plain product, for each number of rows and both layouts",
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
}
