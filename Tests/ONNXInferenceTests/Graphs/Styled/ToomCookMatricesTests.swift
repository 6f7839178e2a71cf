import TestNumbers
import Testing

@testable import ONNXInference

@Suite struct ToomCookMatricesTests {
    @Test("fractions are kept in lowest terms, with the sign above")
    func fractions() {
        #expect(Fraction(6, -4) == Fraction(-3, 2))
        #expect(Fraction(0, -7) == Fraction(0) && Fraction(0).isZero)
        #expect(Fraction(1, 2) - Fraction(1, 3) == Fraction(1, 6))
        #expect(Fraction(-2, 3) * Fraction(9, 4) == Fraction(-3, 2))
        #expect(Fraction(1, 2) / Fraction(-3) == Fraction(-1, 6))
        #expect(Fraction(-1, 2) < Fraction(1, 3) && !(Fraction(1, 2) < Fraction(1, 2)))
        #expect(Fraction(-5, 4).magnitude.value == 1.25)
    }

    private static let matrices = [
        ToomCookMatrices.standard, ToomCookMatrices(points: [Fraction(0), Fraction(1)]),
        ToomCookMatrices(points: [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2)]),
        ToomCookMatrices(points: [Fraction(1), Fraction(0)]),
    ]

    @Test("the products give what the filter gives", arguments: matrices.indices)
    func filter(index: Int) {
        let matrices = Self.matrices[index]
        var random = SeededRandom(3)
        func numbers(_ count: Int) -> [Double] { (0..<count).map { _ in Double.random(in: -1...1, using: &random) } }
        func apply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
            matrix.map { zip($0, vector).reduce(0) { $0 + $1.0 * $1.1 } }
        }
        #expect(matrices.products == 2 * matrices.size - 1)
        for _ in 0..<20 {
            let taps = numbers(matrices.size)
            let samples = numbers(matrices.products)
            let products = zip(apply(matrices.filter, taps), apply(matrices.input, samples)).map { $0 * $1 }
            let found = apply(matrices.output, products)
            for place in 0..<matrices.size {
                let expected = zip(taps, samples[place...]).reduce(0) { $0 + $1.0 * $1.1 }
                #expect(abs(found[place] - expected) < 1e-12)
            }
        }
    }

    @Test("samples are not multiplied by large numbers, and a bias has its product", arguments: matrices.indices)
    func form(index: Int) {
        let matrices = Self.matrices[index]
        #expect(matrices.input.joined().map(\.magnitude).max() == 1)
        #expect(matrices.output.allSatisfy { $0[matrices.plainProduct] == 1 })
    }
}
