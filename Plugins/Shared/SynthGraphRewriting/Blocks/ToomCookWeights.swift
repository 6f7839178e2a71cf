import SynthGraphs

/// A convolution's weights in the layout that `BlockedConvolution` reads: evaluated at the points of the Toom-Cook method.
///
/// Computing five samples with three taps takes seven products instead of fifteen. Three samples with five taps, or
/// four samples with four taps, also take seven. If there are more than five taps, they are split into groups of four,
/// called parts. Each product multiplies the taps, evaluated as a polynomial at a point, by the samples as combined in
/// `toom_cook.h`.
struct ToomCookWeights {
    /// All points except the last one, which is infinity.
    private static let points = [0, 1, -1, 0.5, -0.5, 2]
    private static let products = points.count + 1
    /// The number of samples per tile if there are several parts. Each part starts one tile later than the previous
    /// part.
    static let samplesOfParts = 4

    /// A limit that no real voice reaches. It bounds memory use.
    private static let maximumWeights = 1 << 24
    static let longestReach = 1 << 10

    /// The number of output samples per tile.
    let samples: Int
    private let tapsOfPart: Int
    private let parts: Int
    private let taps: Int

    /// Splits the taps so as to need as few products as possible.
    init(taps: Int) {
        self.taps = taps
        samples = taps <= 3 ? 5 : taps == 5 ? 3 : Self.samplesOfParts
        tapsOfPart = Self.products + 1 - samples
        parts = (taps + tapsOfPart - 1) / tapsOfPart
    }

    /// Throws if the convolution is too large.
    static func check(_ convolution: Convolution) throws {
        guard convolution.weights.count <= maximumWeights, convolution.dilation * convolution.taps <= longestReach,
            convolution.padding.before <= longestReach,
            convolution.outputChannels <= BlockedConvolution.maximumChannels,
            convolution.inputChannels <= BlockedConvolution.maximumInputChannels
        else { throw InferenceError.refused("a convolution exceeds the size limits") }
    }

    /// Returns the number of a convolution's weights after the Toom-Cook transform.
    func count(of convolution: Convolution) -> Int {
        Self.products * parts * convolution.inputChannels * convolution.outputChannels
    }

    /// - Parameters:
    ///   - weights: The weights, ordered by output channel, input channel, tap.
    ///   - outputs: The number of output channels, in complete blocks.
    /// - Returns: The weights, ordered by product, pair of output blocks, part, input channel, channel in the pair. The last
    ///   pair may be a single block.
    func numbers(
        of weights: FloatNumbers, outputs: Int, inputs: Int, block: Int
    ) -> (numbers: ComputedFloats, shape: [Int]) {
        let (shape, width) = ([Self.products, parts * inputs, outputs], 2 * block)
        let rows = parts * inputs
        // There is one strip per pair of blocks, and one range of the strip per product.
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

    /// - Parameter channels: The output channels of a pair of blocks.
    private func fill(
        _ numbers: UnsafeMutableBufferPointer<Float>, from weights: UnsafeBufferPointer<Float>, _ channels: Range<Int>,
        inputs: Int
    ) {
        let factors = factors
        let width = channels.count
        // The channel is the innermost index so that many channels are computed together.
        var columns = [Double](repeating: 0, count: tapsOfPart * width)
        var sums = [Double](repeating: 0, count: width)
        for part in 0..<parts {
            let start = part * tapsOfPart
            let count = min(tapsOfPart, taps - start)
            for input in 0..<inputs {
                for output in 0..<width {
                    let position = ((channels.lowerBound + output) * inputs + input) * taps + start
                    for tap in 0..<count { columns[tap * width + output] = Double(weights[position + tap]) }
                }
                for product in 0..<Self.products {
                    for output in 0..<width { sums[output] = 0 }
                    for tap in 0..<count {
                        let factor = factors[product * tapsOfPart + tap]
                        for output in 0..<width { sums[output] += factor * columns[tap * width + output] }
                    }
                    let position = ((product * parts + part) * inputs + input) * width
                    for output in 0..<width {
                        numbers.initializeElement(at: position + output, to: Float(sums[output]))
                    }
                }
            }
        }
    }

    /// For each product, the factor of each tap in a part: a power of the product's point. The factors include all
    /// divisions that would otherwise be applied to the inputs.
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
