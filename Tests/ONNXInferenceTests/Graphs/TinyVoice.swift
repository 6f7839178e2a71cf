import TestNumbers

@testable import ONNXInference

/// A voice with the inputs and outputs of Piper's, that a test builds: each id is two frames of the vocoder.
enum TinyVoice {
    static let ids = 40

    static func model(_ vocoder: TinyModel.Vocoder = .init(), seed: UInt64 = 1) -> TinyModel {
        var model = TinyModel(seed: seed)
        let input = model.input("input", .int64, rank: 2)
        let lengths = model.input("input_lengths", .int64, rank: 1)
        let scales = model.input("scales", .float32, rank: 1)
        let embedded = model.add("Gather", [model.noise([ids, vocoder.channels]), input])
        let channelsFirst = model.add("Transpose", [embedded], ["perm": .integers([0, 2, 1])])
        let frames = model.add("Concat", [channelsFirst, channelsFirst], ["axis": .integer(2)])
        // Nothing of the sound depends on these, but the library wants every input to be read.
        let zero = model.constant([Float(0)], [1])
        let length = model.add("Cast", [lengths], ["to": .integer(1)])
        let nothing = model.add("Mul", [model.add("Add", [model.add("ReduceSum", [scales]), length]), zero])
        model.vocode(model.add("Add", [frames, nothing]), vocoder)
        return model
    }

    static func inputs(_ ids: [Int64]) -> [(name: String, tensor: InferenceTensor)] {
        TestVoice.inputs(ids)
    }

    /// Texts of 1 to 200 words, six ids each.
    static func texts(_ count: Int = 10, seed: UInt64 = 7) -> [[Int64]] {
        var random = SeededRandom(seed)
        return (0..<count).map { index in
            let words = 1 + 199 * index * index / max((count - 1) * (count - 1), 1)
            return (0..<6 * words).map { _ in Int64.random(in: 0..<Int64(ids), using: &random) }
        }
    }
}
