/// The three matrices with which a short filter needs fewer multiplications: the method of Toom and Cook.
///
/// A filter `h` with `size` taps gives `size` samples `y[p] = Σ h[s] x[p + s]` of `2 size - 1` samples `x`. That is
/// `y = output ((filter h) * (input x))`, where `*` multiplies number by number: `2 size - 1` products in place of
/// `size * size`. The matrices evaluate polynomials at points and interpolate; the last point is infinity.
struct ToomCookMatrices {
    /// Seven products for sixteen. More points would save more multiplications, but cost digits.
    static let standard = ToomCookMatrices(
        points: [0, 1, -1].map { Fraction($0) } + [Fraction(1, 2), Fraction(-1, 2), Fraction(2)])

    let size: Int
    /// A row for each product, a column for each tap.
    let filter: [[Double]]
    /// A row for each product, a column for each sample of the input. No number is larger than 1.
    let input: [[Double]]
    /// A row for each sample of the output, a column for each product.
    let output: [[Double]]
    /// The product that every sample of the output contains once. A bias can be added to it.
    let plainProduct: Int
    var products: Int { input.count }

    /// - Parameter points: An even number of different ones, 1 among them.
    init(points: [Fraction]) {
        let products = points.count + 1
        let size = products / 2 + 1
        func powers(_ count: Int) -> [[Fraction]] {
            points.map { point in
                var power = Fraction(1)
                return (0..<count).map { _ in
                    defer { power = power * point }
                    return power
                }
            } + [(0..<count).map { Fraction($0 == count - 1 ? 1 : 0) }]
        }
        let evaluation = powers(size)
        // The transposed form of multiplying polynomials of degree `size - 1` is the filter.
        let interpolation = Self.inverse(powers(products))
        var (filter, input) = ([[Double]](), [[Double]]())
        for product in 0..<products {
            let row = interpolation.map { $0[product] }
            let largest = row.map(\.magnitude).max { $0 < $1 } ?? Fraction(1)
            input.append(row.map { ($0 / largest).value })
            filter.append(evaluation[product].map { ($0 * largest).value })
        }
        self.size = size
        self.filter = filter
        self.input = input
        output = (0..<size).map { sample in evaluation.map { $0[sample].value } }
        plainProduct = points.firstIndex(of: Fraction(1)) ?? 0
    }

    /// The inverse of a matrix that has one.
    private static func inverse(_ matrix: [[Fraction]]) -> [[Fraction]] {
        let count = matrix.count
        var rows = matrix.enumerated().map { number, row in
            row + (0..<count).map { Fraction($0 == number ? 1 : 0) }
        }
        for column in 0..<count {
            let pivot = rows[column...].firstIndex { !$0[column].isZero } ?? column
            rows.swapAt(column, pivot)
            let first = rows[column][column]
            rows[column] = rows[column].map { $0 / first }
            for other in 0..<count where other != column && !rows[other][column].isZero {
                let factor = rows[other][column]
                rows[other] = zip(rows[other], rows[column]).map { $0 - factor * $1 }
            }
        }
        return rows.map { Array($0[count...]) }
    }
}
