extension Convolution {
    /// The weights in the order of `blocked`.
    func blockedWeights(_ block: Int) -> [Float] {
        Self.blocked(weights, outputs: outputChannels, inputs: inputChannels, taps: taps, block)
    }

    /// Weights in the order that the library reads: block of output channels, block of input channels, tap, input channel
    /// of the block, output channel of the block.
    ///
    /// - Parameters:
    ///   - weights: Output channels, input channels, taps. The channels are whole blocks.
    static func blocked(_ weights: [Float], outputs: Int, inputs: Int, taps: Int, _ block: Int) -> [Float] {
        weights.withUnsafeBufferPointer { weights in
            [Float](unsafeUninitializedCapacity: weights.count) { buffer, count in
                for output in Swift.stride(from: 0, to: outputs, by: block) {
                    for input in Swift.stride(from: 0, to: inputs, by: block) {
                        for tap in 0..<taps {
                            for inner in input..<input + block {
                                for outer in output..<output + block {
                                    buffer.initializeElement(
                                        at: count, to: weights[(outer * inputs + inner) * taps + tap])
                                    count += 1
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
