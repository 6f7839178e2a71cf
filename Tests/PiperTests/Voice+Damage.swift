@testable import SynthGraphs
@testable import SynthInference

extension Voice {
    /// A model whose samples are NaN: its last half-precision tensor, which is part of the vocoder, is overwritten.
    static func withoutNumbers(_ model: [UInt8]) -> [UInt8] {
        var bytes = model
        guard let weights = try? rawWeights(bytes).last else { return bytes }
        for place in stride(from: weights.lowerBound, to: weights.upperBound - 1, by: 2) {
            bytes[place] = 0
            bytes[place + 1] = 0x7E
        }
        return bytes
    }

    /// The ranges of the initializers' values in the file.
    private static func rawWeights(_ bytes: [UInt8]) throws -> [Range<Int>] {
        try bytes.withUnsafeBytes { memory in
            var found: [Range<Int>] = []
            var model = ProtobufFields(memory)
            while let graph = try model.next() {
                guard graph.number == 7, let range = graph.bytes else { continue }
                var fields = ProtobufFields(memory, in: range)
                while let tensor = try fields.next() {
                    guard tensor.number == 5, let range = tensor.bytes else { continue }
                    var parts = ProtobufFields(memory, in: range)
                    while let part = try parts.next() {
                        if part.number == 9, let range = part.bytes { found.append(range) }
                    }
                }
            }
            return found
        }
    }
}
