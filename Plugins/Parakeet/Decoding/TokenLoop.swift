import EngineKit
import Glibc
import SynthInference
import SynthRecognizerParts

/// Predicts token scores for a frame. It is implemented by a model that has encoded a window and, in tests, by a
/// script.
protocol TokenPredictor {
    /// The token scores, optionally followed by scores for skipping 0, 1, … frames.
    mutating func scores(at frame: Int) throws(EngineError) -> [Float]

    /// Accepts the token selected from the last scores. Later scores depend on it.
    mutating func say(_ token: Int)
}

/// Finds the tokens of a window: for each frame that is not skipped, the most likely tokens until the blank.
struct TokenLoop {
    /// The maximum number of durations. Published models have five. If a model returns more scores than that in
    /// addition to the token scores, the vocabulary is incomplete.
    private static let maximumDurations = 32

    let vocabulary: TokenVocabulary
    /// The maximum number of tokens per frame. A higher number would indicate a loop.
    let maximumTokensPerFrame: Int
    /// Names and terms to prefer.
    var phrases: PhraseTree?

    /// - Parameters:
    ///   - frames: The number of frames in the window.
    ///   - progress: Called before each run of the model; it throws to stop the transcription.
    func find(
        _ frames: Int, with predictor: inout some TokenPredictor, progress: () throws -> Void = {}
    ) throws -> [FoundToken] {
        var found: [FoundToken] = []
        var (frame, here) = (0, 0)
        var place = PhraseTree.Position()
        while frame < frames {
            try progress()
            let scores = try predictor.scores(at: frame)
            guard (0...Self.maximumDurations).contains(scores.count - vocabulary.count) else {
                throw EngineError.tokens("has \(vocabulary.count) tokens, but the model returns \(scores.count) scores")
            }
            let best = try favoured(try Self.best(scores[..<vocabulary.count]), scores, at: place)
            let skip = scores.count > vocabulary.count ? try Self.best(scores[vocabulary.count...]) : 0
            if best != vocabulary.blank {
                predictor.say(best)
                if let phrases { place = phrases.step(place, best, bytes: Array(vocabulary.piece(best).utf8)).place }
                found.append(
                    FoundToken(
                        token: best, frame: frame, frames: skip,
                        probability: Self.probability(of: best, in: scores[..<vocabulary.count])))
                here += 1
            }
            if skip > 0 {
                (frame, here) = (frame + skip, 0)
            } else if best == vocabulary.blank || here == maximumTokensPerFrame {
                (frame, here) = (frame + 1, 0)
            }
        }
        return found
    }

    /// Returns a token that continues a phrase and is almost as likely as the best token. An emitted token cannot be
    /// withdrawn later, so a phrase can replace other tokens but never a blank.
    private func favoured(_ best: Int, _ scores: [Float], at place: PhraseTree.Position) throws(EngineError) -> Int {
        guard let phrases, best != vocabulary.blank else { return best }
        var (found, most) = (best, Double(scores[best]))
        for (token, bonus) in phrases.favoured(at: place) where token < vocabulary.count && token != vocabulary.blank {
            let score = Double(scores[token]) + bonus
            // If scores are equal, the token with the lower ID wins, regardless of the order of the phrases.
            if score > most || score == most && token < found { (found, most) = (token, score) }
        }
        return found
    }

    /// Returns the index of the highest score, starting at 0; if several scores are equal, the index of the first.
    private static func best(_ scores: ArraySlice<Float>) throws(EngineError) -> Int {
        var best = scores.startIndex
        for place in scores.indices where scores[place] > scores[best] { best = place }
        guard !scores.isEmpty, scores[best].isFinite else {
            throw .predictor("returns scores that are not finite numbers")
        }
        return best - scores.startIndex
    }

    private static func probability(of best: Int, in scores: ArraySlice<Float>) -> Double {
        let top = scores[best]
        return 1 / scores.reduce(0) { $0 + exp(Double($1 - top)) }
    }
}

/// The encoder's output for a window, one row per frame.
struct EncodedSound {
    let width: Int
    let frameCount: Int
    /// The rows, frame by frame.
    private let numbers: [Float]

    /// - Parameters:
    ///   - outputs: [1, width, frames]
    ///   - lengths: The number of valid frames.
    init(_ outputs: InferenceOutput, lengths: InferenceOutput) throws(EngineError) {
        guard outputs.shape.count == 3, outputs.shape[0] == 1, outputs.count > 0, let rows = outputs.floats(),
            let count = lengths.doubles(), count.count == 1, count[0] >= 0, count[0] <= Double(outputs.shape[2])
        else { throw .encoder("returns a tensor whose shape differs from the output shape of NeMo's encoders") }
        let (width, frames) = (Int(outputs.shape[1]), Int(outputs.shape[2]))
        numbers = [Float](unsafeUninitializedCapacity: rows.count) { numbers, filled in
            for frame in 0..<frames {
                for row in 0..<width { numbers[frame * width + row] = rows[row * frames + frame] }
            }
            filled = rows.count
        }
        (self.width, frameCount) = (width, Int(count[0]))
    }

    /// A frame as a tensor of shape [1, width, 1].
    func tensor(_ frame: Int) -> InferenceTensor {
        InferenceTensor(Array(numbers[frame * width..<(frame + 1) * width]), shape: [1, Int64(width), 1])
    }
}

/// The decoder's scores for a window. Use an instance on one thread at a time.
struct ModelPredictor: TokenPredictor {
    private let model: ParakeetModel
    private let sound: EncodedSound
    private let stop: RunStop
    private var last: Int
    private var state: [InferenceTensor]
    /// The decoder state after the last accepted token. It replaces `state` when another token is accepted.
    private var next: [InferenceTensor] = []
    /// The decoder's output for the accepted tokens, which is an input of the joiner.
    private var predicted: InferenceOutput?

    init(_ model: ParakeetModel, for sound: EncodedSound, stop: RunStop) {
        (self.model, self.sound, self.stop) = (model, sound, stop)
        last = model.vocabulary.blank
        state = model.contract.states.map { state in
            let count = state.shape.reduce(1) { $0 * Int($1) }
            return InferenceTensor([Float](repeating: 0, count: count), shape: state.shape)
        }
    }

    mutating func scores(at frame: Int) throws(EngineError) -> [Float] {
        let contract = model.contract
        let encodedFrame = sound.tensor(frame)
        let output: InferenceOutput
        if let joiner = model.joiner, let joined = contract.joined {
            // The decoder's output changes only when a token is accepted.
            if predicted == nil { predicted = try decode([], outputs: [contract.predicted]).first }
            guard let predicted else { throw .predictor("has no output") }
            let inputs = [(joined.encoded, encodedFrame), (joined.predicted, InferenceTensor(predicted))]
            output = try run(joiner, inputs, [contract.scores], of: ParakeetRole.joiner)[0]
        } else {
            output = try decode([(contract.predicted, encodedFrame)], outputs: [contract.scores])[0]
        }
        guard let scores = output.floats(), scores.count == Int(output.shape.last ?? 0) else {
            throw .predictor("returns scores of an unexpected shape")
        }
        return scores
    }

    mutating func say(_ token: Int) {
        (state, last, predicted) = (next, token, nil)
    }

    /// Runs the decoder on the last token and stores the resulting state.
    private mutating func decode(
        _ more: [(name: String, tensor: InferenceTensor)], outputs: [String]
    ) throws(EngineError) -> [InferenceOutput] {
        let contract = model.contract
        var inputs = more
        inputs.append((contract.targets.tokens, contract.numbers(last, shape: [1, 1])))
        inputs.append((contract.targets.count, contract.numbers(1, shape: [1])))
        for (known, tensor) in zip(contract.states, state) { inputs.append((known.name, tensor)) }
        let found = try run(
            model.decoder, inputs, outputs + contract.states.map(\.next), of: ParakeetRole.decoder)
        let states = found.suffix(contract.states.count)
        for (known, state) in zip(contract.states, states) where state.shape != known.shape {
            throw .predictor("returns a state whose shape differs from the shape of its input state")
        }
        next = states.map { InferenceTensor($0) }
        return found
    }

    /// - Returns: One output for each requested name.
    private func run(
        _ session: InferenceSession, _ inputs: [(name: String, tensor: InferenceTensor)], _ outputs: [String],
        of role: String
    ) throws(EngineError) -> [InferenceOutput] {
        do {
            return try stop.run(session, inputs, outputs: outputs)
        } catch {
            throw EngineError(error, of: role)
        }
    }
}
