/// A convolution of random numbers for a test, and its result in double precision.
package struct TestedConvolution: Sendable {
    package var taps: Int
    package var dilation: Int
    package var blocks: (inputs: Int, outputs: Int)
    package var rows: Int
    package var length: Int
    package var phases: Int
    package var slopes: (input: Float, output: Float)
    package var hasSummand: Bool
    /// The number of zeros before the input; the remaining zeros come after it.
    package var padding: Int?

    package init(
        taps: Int, dilation: Int = 1, blocks: (inputs: Int, outputs: Int) = (2, 3), rows: Int = 1, length: Int = 100,
        phases: Int = 1, slopes: (input: Float, output: Float) = (1, 1), hasSummand: Bool = false, padding: Int? = nil
    ) {
        self.taps = taps
        self.dilation = dilation
        self.blocks = blocks
        self.rows = rows
        self.length = length
        self.phases = phases
        self.slopes = slopes
        self.hasSummand = hasSummand
        self.padding = padding
    }

    package var testDescription: String {
        "\(taps) taps, dilation \(dilation), \(blocks.inputs) to \(blocks.outputs) blocks, \(rows) × \(length), "
            + "\(phases) phases, slopes \(slopes), \(hasSummand ? "a summand" : "no summand")"
    }

    /// The inputs of the convolution.
    package struct Numbers {
        package var input: [Float]
        /// The weights, ordered by output channel, input channel and tap.
        package var weights: [Float]
        package var bias: [Float]
        package var summand: [Float]?
    }

    package func numbers(block: Int) -> Numbers {
        var random = SeededRandom(UInt64(taps * 1000 + length))
        func some(_ count: Int, _ bound: Float = 1) -> [Float] {
            (0..<count).map { _ in Float.random(in: -bound...bound, using: &random) }
        }
        let (inputs, outputs) = (blocks.inputs * block, blocks.outputs * phases * block)
        return Numbers(
            input: some(inputs * rows * length), weights: some(outputs * inputs * taps, 0.2), bias: some(outputs),
            summand: hasSummand ? some(outputs * rows * length) : nil)
    }

    package var before: Int { padding ?? dilation * (taps - 1) / 2 }

    /// The index of a number in the blocked layout.
    private func place(_ channel: Int, _ row: Int, _ moment: Int, length: Int, block: Int) -> Int {
        ((channel / block * rows + row) * length + moment) * block + channel % block
    }

    package func expected(_ numbers: Numbers, block: Int) -> [Double] {
        let (inputs, outputs) = (blocks.inputs * block, blocks.outputs * phases * block)
        var result = [Double](repeating: 0, count: outputs * rows * length)
        for output in 0..<outputs {
            // Output channels are ordered by block of channels, phase, channel in the block.
            let (channel, phase) = (output / block / phases * block + output % block, output / block % phases)
            for row in 0..<rows {
                for moment in 0..<length {
                    var sum = Double(numbers.bias[output])
                    for tap in 0..<taps {
                        let source = moment + tap * dilation - before
                        guard (0..<length).contains(source) else { continue }
                        for input in 0..<inputs {
                            let number = numbers.input[place(input, row, source, length: length, block: block)]
                            let sample = number < 0 ? Double(number) * Double(slopes.input) : Double(number)
                            sum += sample * Double(numbers.weights[(output * inputs + input) * taps + tap])
                        }
                    }
                    let place = place(
                        channel, row, moment * phases + phase, length: length * phases, block: block)
                    if let summand = numbers.summand { sum += Double(summand[place]) }
                    result[place] = sum < 0 ? sum * Double(slopes.output) : sum
                }
            }
        }
        return result
    }
}
