package import SynthInference
import TestNumbers

/// A model that a test creates node by node.
package struct TinyModel {
    /// An element type. The raw value is its number in `onnx.proto`.
    package enum Number: Int64 {
        case float32 = 1
        case uint8 = 2
        case int8 = 3
        case int32 = 6
        case int64 = 7
        case float16 = 10
    }

    package var nodes: [GraphNode] = []
    package var tensors: [GraphTensor] = []
    package var operatorVersion: Int64 = 17
    /// Constants in the file's format.
    private var written: [[UInt8]] = []
    private var inputs: [(name: String, number: Number, rank: Int)] = []
    private var outputs: [String] = []
    private var random: SeededRandom

    package init(seed: UInt64 = 1) {
        random = SeededRandom(seed)
    }

    package mutating func input(_ name: String, _ number: Number, rank: Int) -> String {
        inputs.append((name, number, rank))
        return name
    }

    package mutating func output(_ name: String) { outputs.append(name) }

    /// Makes the tensor the only output.
    package mutating func returns(_ name: String) { outputs = [name] }

    /// Adds a node and returns the name of its output.
    package mutating func add(
        _ operation: String, _ inputs: [String], as output: String? = nil, domain: String = "",
        _ attributes: [String: GraphAttribute.Value] = [:]
    ) -> String {
        let output = output ?? "\(operation)-\(nodes.count)"
        nodes.append(
            GraphNode(
                operation, domain: domain, inputs: inputs, outputs: [output],
                attributes: attributes.sorted { $0.key < $1.key }.map { GraphAttribute($0.key, $0.value) }))
        return output
    }

    package mutating func constant(_ numbers: [Float], _ shape: [Int]) -> String {
        tensors.append(GraphTensor("c\(tensors.count)", numbers, shape: shape))
        return "c\(tensors.count - 1)"
    }

    package mutating func constant(_ numbers: [Int64], _ shape: [Int]? = nil) -> String {
        tensors.append(GraphTensor("c\(tensors.count)", numbers, shape: shape ?? [numbers.count]))
        return "c\(tensors.count - 1)"
    }

    /// Adds a constant of any element type, given as bytes.
    package mutating func constant(_ bytes: [UInt8], _ number: Number, _ shape: [Int]) -> String {
        let name = "w\(written.count)"
        var tensor = ProtobufWriter()
        for size in shape { tensor.append(1, integer: Int64(size)) }
        tensor.append(2, integer: number.rawValue)
        tensor.append(8, name)
        tensor.append(9, bytes)
        written.append(tensor.bytes)
        return name
    }

    package mutating func noise(_ shape: [Int], _ spread: Float = 1) -> String {
        let numbers = (0..<shape.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) * spread }
        return constant(numbers, shape)
    }

    package mutating func convolution(
        _ input: String, from channels: Int, to outputs: Int, taps: Int, dilation: Int = 1
    ) -> String {
        let padding = Int64(dilation * (taps - 1) / 2)
        return add(
            "Conv",
            [
                input, noise([outputs, channels, taps], (3 / Float(channels * taps)).squareRoot()),
                noise([outputs], 0.1),
            ],
            [
                "dilations": .integers([Int64(dilation)]), "kernel_shape": .integers([Int64(taps)]),
                "pads": .integers([padding, padding]),
            ])
    }

    package mutating func upsampling(
        _ input: String, from channels: Int, to outputs: Int, taps: Int, stride: Int, padding: (Int, Int),
        outputPadding: Int = 0
    ) -> String {
        add(
            "ConvTranspose",
            [
                input, noise([channels, outputs, taps], (3 / Float(channels * taps / stride)).squareRoot()),
                noise([outputs], 0.1),
            ],
            [
                "kernel_shape": .integers([Int64(taps)]), "strides": .integers([Int64(stride)]),
                "pads": .integers([Int64(padding.0), Int64(padding.1)]),
                "output_padding": .integers([Int64(outputPadding)]),
            ])
    }

    package mutating func activation(_ input: String, _ slope: Float = 0.1) -> String {
        add("LeakyRelu", [input], ["alpha": .float(slope)])
    }

    package var bytes: [UInt8] {
        func message(_ build: (inout ProtobufWriter) -> Void) -> [UInt8] {
            var writer = ProtobufWriter()
            build(&writer)
            return writer.bytes
        }
        func value(_ name: String, _ number: Number, rank: Int) -> [UInt8] {
            let shape = message { shape in
                for axis in 0..<rank { shape.append(1, message { $0.append(2, "\(name)\(axis)") }) }
            }
            let tensor = message {
                $0.append(1, integer: number.rawValue)
                $0.append(2, shape)
            }
            return message {
                $0.append(1, name)
                $0.append(2, message { $0.append(1, tensor) })
            }
        }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        var inside = AddedWeights(locations: [])
        let graph = message { graph in
            for node in nodes { graph.append(1, node.bytes(none)) }
            graph.append(2, "tiny")
            for tensor in tensors { graph.append(5, tensor.bytes(none, &inside)) }
            for tensor in written { graph.append(5, tensor) }
            for input in inputs { graph.append(11, value(input.name, input.number, rank: input.rank)) }
            for output in outputs { graph.append(12, value(output, .float32, rank: 3)) }
        }
        return message {
            $0.append(1, integer: 8)
            $0.append(7, graph)
            $0.append(8, message { $0.append(2, integer: operatorVersion) })
            for domain in Set(nodes.map(\.domain)).sorted() where !domain.isEmpty {
                $0.append(
                    8,
                    message {
                        $0.append(1, domain)
                        $0.append(2, integer: 1)
                    })
            }
        }
    }
}
