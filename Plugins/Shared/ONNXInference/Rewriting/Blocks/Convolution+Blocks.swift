extension Convolution {
    /// The weights in the order that the library reads: block of output channels, block of input channels, tap, input channel
    /// of the block, output channel of the block. The channels are whole blocks.
    func blockedWeights(_ block: Int) -> [Float] {
        weights.withFloats { weights in
            [Float](unsafeUninitializedCapacity: weights.count) { buffer, count in
                for output in Swift.stride(from: 0, to: outputChannels, by: block) {
                    for input in Swift.stride(from: 0, to: inputChannels, by: block) {
                        for tap in 0..<taps {
                            for inner in input..<input + block {
                                for outer in output..<output + block {
                                    buffer.initializeElement(
                                        at: count, to: weights[(outer * inputChannels + inner) * taps + tap])
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
