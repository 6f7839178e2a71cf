package import SynthInference
import TestNumbers

extension TinyModel {
    /// A vocoder as in VITS voices, with few channels. It reads `input`, [1, channels, frames].
    package struct Vocoder {
        package var channels: Int
        package var strides: [Int]
        /// The taps and dilations of the blocks after each upsampling node.
        package var blocks: [(taps: Int, dilations: [Int])]
        /// Whether each dilation is followed by a second convolution, as in high-quality voices.
        package var isPaired: Bool
        package var firstTaps: Int

        package init(
            channels: Int = 64, strides: [Int] = [8, 4],
            blocks: [(taps: Int, dilations: [Int])] = [(3, [1, 2]), (5, [2, 6]), (7, [3, 12])],
            isPaired: Bool = false, firstTaps: Int = 7
        ) {
            self.channels = channels
            self.strides = strides
            self.blocks = blocks
            self.isPaired = isPaired
            self.firstTaps = firstTaps
        }
    }

    package static func vocoder(_ shape: Vocoder, seed: UInt64 = 1) -> TinyModel {
        var model = TinyModel(seed: seed)
        let input = model.input("input", .float32, rank: 3)
        model.vocode(input, shape)
        return model
    }

    /// Adds a vocoder that writes its audio to `output`, [1, 1, samples].
    ///
    /// - Parameter speaker: [1, channels, 1].
    package mutating func vocode(_ input: String, _ shape: Vocoder, speaker: String? = nil) {
        var channels = shape.channels
        var value = convolution(input, from: channels, to: channels, taps: shape.firstTaps)
        if let speaker {
            value = add("Add", [value, convolution(speaker, from: channels, to: channels, taps: 1)])
        }
        for stride in shape.strides {
            value = upsampling(
                activation(value), from: channels, to: channels / 2, taps: 2 * stride, stride: stride,
                padding: (stride / 2, stride / 2))
            channels /= 2
            var sum: String?
            for block in shape.blocks {
                var inner = value
                for dilation in block.dilations {
                    var next = convolution(
                        activation(inner), from: channels, to: channels, taps: block.taps, dilation: dilation)
                    if shape.isPaired {
                        next = convolution(activation(next), from: channels, to: channels, taps: block.taps)
                    }
                    inner = add("Add", [next, inner])
                }
                sum = sum.map { add("Add", [$0, inner]) } ?? inner
            }
            value = add("Div", [sum ?? value, constant([Float(max(shape.blocks.count, 1))], [])])
        }
        let sound = convolution(activation(value, 0.01), from: channels, to: 1, taps: 7)
        output(add("Tanh", [sound], as: "output"))
    }

    package static func frames(_ count: Int, channels: Int, seed: UInt64 = 5) -> [(
        name: String, tensor: InferenceTensor
    )] {
        var random = SeededRandom(seed)
        let numbers = (0..<count * channels).map { _ in Float.random(in: -1...1, using: &random) }
        return [("input", InferenceTensor(numbers, shape: [1, Int64(channels), Int64(count)]))]
    }
}
