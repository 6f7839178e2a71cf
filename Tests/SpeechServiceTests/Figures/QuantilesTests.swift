import Testing
import TestNumbers

@testable import SynthService

@Suite("Quantiles")
struct QuantilesTests {
    private static func of(_ milliseconds: [Int], last capacity: Int = 1000) -> Quantiles {
        var quantiles = Quantiles(last: capacity)
        for number in milliseconds { quantiles.add(.milliseconds(number)) }
        return quantiles
    }

    @Test(
        "A quantile is one of the added durations, selected by the nearest-rank method",
        arguments: [
            ([], 0.5, nil), ([7], 0, 7), ([7], 0.5, 7), ([7], 1, 7), ([2, 1], 0.5, 1), ([2, 1], 0.51, 2),
            ([3, 1, 2], 0.5, 2), ([4, 1, 3, 2], 0.5, 2), ([4, 1, 3, 2], 0.99, 4), ([5, 5, 5, 1], 0.5, 5),
            ([1, 2], -1, 1), ([1, 2], 2, 2),
        ] as [([Int], Double, Int?)])
    func ranks(_ durations: [Int], _ share: Double, _ expected: Int?) {
        #expect(Self.of(durations).quantile(share) == expected.map { .milliseconds($0) })
    }

    @Test("Quantiles do not depend on the order of the durations")
    func order() {
        var random = SeededRandom(1)
        let quantiles = Self.of((1...1000).shuffled(using: &random))
        #expect(quantiles.quantile(0.5) == .milliseconds(500))
        #expect(quantiles.quantile(0.99) == .milliseconds(990))
        #expect(quantiles.quantile(1) == .milliseconds(1000))
    }

    @Test("Quantiles are computed only from the most recent durations")
    func last() {
        var quantiles = Self.of([900, 800, 700], last: 3)
        #expect(quantiles.count == 3 && quantiles.quantile(1) == .milliseconds(900))
        for (number, longest) in [(1, 800), (2, 700), (3, 3), (4, 4)] {
            quantiles.add(.milliseconds(number))
            #expect(quantiles.count == 3 && quantiles.quantile(1) == .milliseconds(longest))
        }
    }
}
