import SynthGraphs

/// The weights of a convolution as `BlockedConvolution` reads them: evaluated at the points of the method of Toom and Cook.
///
/// Five samples with three taps need seven products in place of fifteen, three samples with five taps seven, too; so do four
/// samples with four taps, and more taps are parts of four. A product multiplies the taps as a polynomial, at a point, with
/// the samples as `toom_cook.h` combines them.
struct ToomCookWeights {
    /// The last point is infinity.
    private static let points = [0, 1, -1, 0.5, -0.5, 2]
    private static let products = points.count + 1
    /// With more than one part, a part reads the tiles of the one before it, one tile later.
    static let samplesOfParts = 4

    /// More than any voice has. They keep memory in bounds.
    private static let mostWeights = 1 << 24
    static let longestReach = 1 << 10

    /// Output samples of a tile.
    let samples: Int
    private let tapsOfPart: Int
    private let parts: Int
    private let taps: Int

    /// How taps are cut, so that there are the fewest products.
    init(taps: Int) {
        self.taps = taps
        samples = taps <= 3 ? 5 : taps == 5 ? 3 : Self.samplesOfParts
        tapsOfPart = Self.products + 1 - samples
        parts = (taps + tapsOfPart - 1) / tapsOfPart
    }

    /// Throws if there is too much of the convolution.
    static func check(_ convolution: Convolution) throws {
        guard convolution.weights.count <= mostWeights, convolution.dilation * convolution.taps <= longestReach,
            convolution.padding.before <= longestReach, convolution.outputChannels <= BlockedConvolution.mostChannels,
            convolution.inputChannels <= BlockedConvolution.mostInputChannels
        else { throw InferenceError.refused("a convolution is too large") }
    }

    /// How many numbers there are.
    func count(of convolution: Convolution) -> Int {
        Self.products * parts * convolution.inputChannels * convolution.outputChannels
    }

    /// - Parameters:
    ///   - weights: Output channels, input channels, taps.
    ///   - outputs: Whole blocks.
    /// - Returns: Product, pair of output blocks, part, input channel, channel of the pair; the last pair may be one block.
    func numbers(
        of weights: FloatNumbers, outputs: Int, inputs: Int, block: Int
    ) -> (numbers: ComputedFloats, shape: [Int]) {
        let (shape, width) = ([Self.products, parts * inputs, outputs], 2 * block)
        let rows = parts * inputs
        // One for each pair of blocks, with a range for each product.
        let strips = stride(from: 0, to: outputs, by: width).map { first in
            (0..<Self.products).map { product in
                let start = rows * (product * outputs + first)
                return start..<start + rows * min(width, outputs - first)
            }
        }
        let numbers = ComputedFloats(strips: strips) { strip, numbers in
            let first = strip * width
            let channels = first..<min(first + width, outputs)
            weights.withFloats { fill(numbers, from: $0, channels, inputs: inputs) }
        }
        return (numbers, shape)
    }

    /// - Parameter channels: Output channels of a pair of blocks.
    private func fill(
        _ numbers: UnsafeMutableBufferPointer<Float>, from weights: UnsafeBufferPointer<Float>, _ channels: Range<Int>,
        inputs: Int
    ) {
        let factors = factors
        let width = channels.count
        // Channels are the last index, so that many are computed at once.
        var columns = [Double](repeating: 0, count: tapsOfPart * width)
        var sums = [Double](repeating: 0, count: width)
        for part in 0..<parts {
            let start = part * tapsOfPart
            let count = min(tapsOfPart, taps - start)
            for input in 0..<inputs {
                for output in 0..<width {
                    let place = ((channels.lowerBound + output) * inputs + input) * taps + start
                    for tap in 0..<count { columns[tap * width + output] = Double(weights[place + tap]) }
                }
                for product in 0..<Self.products {
                    for output in 0..<width { sums[output] = 0 }
                    for tap in 0..<count {
                        let factor = factors[product * tapsOfPart + tap]
                        for output in 0..<width { sums[output] += factor * columns[tap * width + output] }
                    }
                    let place = ((product * parts + part) * inputs + input) * width
                    for output in 0..<width {
                        numbers.initializeElement(at: place + output, to: Float(sums[output]))
                    }
                }
            }
        }
    }

    /// For each product the factor of each tap of a part: the powers of the point. All that an input is to be divided by
    /// is divided here.
    private var factors: [Double] {
        Self.points.flatMap { point in
            let divisor = Self.points.reduce(1) { $1 == point ? $0 : $0 * (point - $1) }
            var power = 1 / divisor
            return (0..<tapsOfPart).map { _ in
                defer { power *= point }
                return power
            }
        } + (0..<tapsOfPart).map { $0 == tapsOfPart - 1 ? 1 : 0 }
    }
}
