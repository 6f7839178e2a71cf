package import SynthInference
import TestNumbers

/// A voice that a test creates, with the inputs, outputs and structure of Piper's voices. Each ID lasts two frames.
package enum TinyVoice {
    package static let ids = 40

    /// - Parameters:
    ///   - hasFlow: Whether there is a flow between the text and the vocoder, preceded by noise, as in real voices.
    ///   - speakers: The number of speakers. If there are several, the speaker's number is an input of the flow and the
    ///     vocoder.
    package static func model(
        _ vocoder: TinyModel.Vocoder = .init(), hasFlow: Bool = false, speakers: Int = 1, seed: UInt64 = 1
    ) -> TinyModel {
        var model = TinyModel(seed: seed)
        let input = model.input("input", .int64, rank: 2)
        let lengths = model.input("input_lengths", .int64, rank: 1)
        let scales = model.input("scales", .float32, rank: 1)
        let embedded = model.add("Gather", [model.noise([ids, vocoder.channels]), input])
        let channelsFirst = model.add("Transpose", [embedded], ["perm": .integers([0, 2, 1])])
        let frames = model.add("Concat", [channelsFirst, channelsFirst], ["axis": .integer(2)])
        // The audio does not depend on these inputs, but the library requires that every input be read.
        let zero = model.constant([Float(0)], [1])
        let length = model.add("Cast", [lengths], ["to": .integer(1)])
        let nothing = model.add("Mul", [model.add("Add", [model.add("ReduceSum", [scales]), length]), zero])
        // The durations are not an output, so they are identified by the only rounding node.
        let number = model.add("Mul", [model.add("Cast", [input], ["to": .integer(1)]), zero])
        let durations = model.add("Ceil", [model.add("Add", [number, model.constant([Float(1.5)], [1])])])
        let duration = model.add("Mul", [model.add("ReduceSum", [durations]), zero])
        var sound = model.add("Add", [frames, model.add("Add", [nothing, duration])])
        let speaker = speakers > 1 ? speakerVector(in: &model, speakers, vocoder.channels) : nil
        if hasFlow {
            sound = noisy(sound, scales, in: &model)
            sound = model.flow(sound, mask: mask(of: sound, in: &model), channels: vocoder.channels, speaker: speaker)
        }
        model.vocode(sound, vocoder, speaker: speaker)
        return model
    }

    private static func speakerVector(in model: inout TinyModel, _ speakers: Int, _ channels: Int) -> String {
        let row = model.add("Gather", [model.noise([speakers, channels]), model.input("sid", .int64, rank: 1)])
        return model.add("Unsqueeze", [row, model.constant([Int64(2)])])
    }

    /// Adds noise at the level of the first scale.
    private static func noisy(_ frames: String, _ scales: String, in model: inout TinyModel) -> String {
        let noise = model.add("RandomNormalLike", [frames], ["dtype": .integer(1)])
        let loudness = model.add("Gather", [scales, model.constant([Int64(0)], [])])
        let spread = model.add("Exp", [model.add("Tanh", [frames])])
        let scaled = model.add("Mul", [model.add("Mul", [noise, spread]), loudness])
        return model.add("Add", [frames, scaled])
    }

    /// Returns a mask that is 1 for every frame.
    private static func mask(of frames: String, in model: inout TinyModel) -> String {
        let index = model.constant([Int64(2)], [])
        let count = model.add("Gather", [model.add("Shape", [frames]), index])
        let (zero, one) = (model.constant([Int64(0)], []), model.constant([Int64(1)], []))
        let isInside = model.add("Less", [model.add("Range", [zero, count, one]), count])
        let numbers = model.add("Cast", [isInside], ["to": .integer(1)])
        return model.add("Unsqueeze", [numbers, model.constant([Int64(0), 1])])
    }

    package static func inputs(_ ids: [Int64], speaker: Int64? = nil) -> [(name: String, tensor: InferenceTensor)] {
        let inputs = [
            ("input", InferenceTensor(ids, shape: [1, Int64(ids.count)])),
            ("input_lengths", InferenceTensor([Int64(ids.count)], shape: [1])),
            // Without noise, the samples are the same on every run.
            ("scales", InferenceTensor([Float(0), 1, 0], shape: [3])),
        ]
        return inputs + (speaker.map { [("sid", InferenceTensor([$0], shape: [1]))] } ?? [])
    }

    /// Texts of 1 to 200 words, with six IDs per word.
    package static func texts(_ count: Int = 10, seed: UInt64 = 7) -> [[Int64]] {
        var random = SeededRandom(seed)
        return (0..<count).map { index in
            let words = 1 + 199 * index * index / max((count - 1) * (count - 1), 1)
            return (0..<6 * words).map { _ in Int64.random(in: 0..<Int64(ids), using: &random) }
        }
    }
}
