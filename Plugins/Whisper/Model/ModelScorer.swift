import EngineKit
import Synchronization
import SynthInference
import SynthRecognizerParts

/// Token scores, one row per text.
struct ScoreRows {
    var numbers: [Float]
    var width: Int

    var count: Int { width > 0 ? numbers.count / width : 0 }

    /// A row's scores; empty if the row does not exist.
    subscript(row: Int) -> ArraySlice<Float> {
        row >= 0 && row < count ? numbers[row * width..<(row + 1) * width] : []
    }
}

/// Scores the next token. The implementations are a model that has encoded a window and, in tests, a scripted
/// replacement.
protocol TokenScorer {
    /// Starts a new text.
    ///
    /// - Parameter positions: The positions of the prompt whose scores are needed. The scores at all positions of a long
    ///   prompt take tens of megabytes.
    /// - Returns: One row per position, with the scores of the token that follows it.
    mutating func begin(_ prompt: [Int], scoresAt positions: [Int]) throws -> ScoreRows

    /// Appends one token to each text.
    ///
    /// - Parameters:
    ///   - tokens: At least one token.
    ///   - parents: For each token, the row of the previous result that it continues.
    /// - Returns: One row per token.
    mutating func step(_ tokens: [Int], parents: [Int]) throws -> ScoreRows
}

/// How the audio's keys and values are passed to a run with several texts. This is determined once per model.
final class BatchForm: Sendable {
    enum Form: Sendable {
        /// A single copy for all texts, which the graph broadcasts. It needs a fifth of the memory of `repeated`.
        case once
        /// One copy per text.
        case repeated
    }

    private let form = Mutex<Form?>(nil)

    var known: Form? { form.withLock { $0 } }

    func note(_ found: Form) { form.withLock { $0 = found } }
}

/// The decoder's scores for a window. Use an instance on one thread at a time.
struct ModelScorer: TokenScorer {
    /// The maximum difference between a text's scores with `once` and with `repeated`. If a graph mixes up the texts,
    /// the difference is greater.
    private static let tolerance: Float = 0.25

    private let model: WhisperModel
    private let stop: RunStop
    /// [1, 1500, width]
    private let hidden: InferenceOutput
    /// The keys and values of the audio, from the first run, because a merged decoder returns empty tensors in later
    /// runs.
    private var sound: [(name: String, output: InferenceOutput)] = []
    private var repeatedSound: (count: Int, inputs: [(name: String, tensor: InferenceTensor)])?
    /// The keys and values of the texts, one row per text.
    private var text: [(name: String, tensor: InferenceTensor)] = []
    private var rowCount = 1

    init(_ model: WhisperModel, for hidden: InferenceOutput, stop: RunStop) {
        self.model = model
        self.hidden = hidden
        self.stop = stop
    }

    mutating func begin(_ prompt: [Int], scoresAt positions: [Int]) throws -> ScoreRows {
        let contract = model.contract
        let sides: [WhisperContract.Side] = sound.isEmpty ? [.encoder, .decoder] : [.decoder]
        let names = Self.caches(contract, sides)
        let outputs = try first(prompt, outputs: [WhisperContract.logits] + names.map(\.present))
        for (name, output) in zip(names, outputs.dropFirst()) {
            guard output.shape.count == 4, output.shape[0] == 1, output.count > 0 else {
                throw EngineError.decoder("returns no cache")
            }
            if name.side == .encoder { sound.append((name.past, output)) }
        }
        text = zip(names, outputs.dropFirst()).filter { $0.0.side == .decoder }.map { ($0.past, InferenceTensor($1)) }
        rowCount = 1
        return try Self.rows(outputs.first, of: prompt.count, at: positions)
    }

    mutating func step(_ tokens: [Int], parents: [Int]) throws -> ScoreRows {
        guard !tokens.isEmpty, tokens.count == parents.count, parents.allSatisfy({ (0..<rowCount).contains($0) }) else {
            throw EngineError.internalFault("the tokens do not match the token sequences that they extend")
        }
        if tokens.count > 1, model.batches.known == nil {
            model.batches.note(try form(tokens.prefix(2), parents: parents.prefix(2)))
        }
        try choose(parents)
        return try step(tokens, tokens.count > 1 ? model.batches.known ?? .repeated : .once)
    }

    /// Determines how to pass the keys and values. Some graphs broadcast without reporting an error but mix up the
    /// texts. A run with two texts detects this and needs little memory.
    private mutating func form(
        _ tokens: ArraySlice<Int>, parents: ArraySlice<Int>
    ) throws -> BatchForm.Form {
        let (before, count) = (text, rowCount)
        defer { (text, rowCount, repeatedSound) = (before, count, nil) }
        do {
            var scores: [ScoreRows] = []
            for form in [BatchForm.Form.once, .repeated] {
                (text, rowCount) = (before, count)
                try choose(Array(parents))
                scores.append(try step(Array(tokens), form))
            }
            let isSame =
                scores[0].numbers.count == scores[1].numbers.count
                && zip(scores[0].numbers, scores[1].numbers).allSatisfy { abs($0 - $1) <= Self.tolerance }
            return isSame ? .once : .repeated
        } catch {
            if error is Stopped { throw error }
            return .repeated
        }
    }

    /// Returns the cross-attention for a complete text, as [heads, tokens, frames] per layer. Does not change the
    /// scorer's state.
    func attention(_ tokens: [Int], layers: [Int]) throws -> [InferenceOutput] {
        try first(tokens, outputs: layers.map { WhisperContract.attention($0) })
    }

    private func first(_ tokens: [Int], outputs: [String]) throws -> [InferenceOutput] {
        let contract = model.contract
        var inputs = common(tokens, rows: 1, usesCache: false)
        let empty = WhisperContract.tensor(
            [], [1, contract.headCount, 0, contract.headSize], as: contract.cacheElement)
        for name in Self.caches(contract, WhisperContract.Side.allCases) { inputs.append((name.past, empty)) }
        return try stop.run(model.decoder, inputs, outputs: outputs, of: WhisperRole.decoder)
    }

    private mutating func step(_ tokens: [Int], _ form: BatchForm.Form) throws -> ScoreRows {
        var inputs = common(tokens, rows: tokens.count, usesCache: true)
        switch form {
        case .once: inputs += sound.map { ($0.name, InferenceTensor($0.output)) }
        case .repeated:
            if repeatedSound?.count != tokens.count {
                repeatedSound = nil
                let rows = [Int](repeating: 0, count: tokens.count)
                repeatedSound = (
                    tokens.count,
                    try sound.map { name, output in
                        (name, try Self.rows(rows, of: InferenceTensor(output), as: model.contract.cacheElement))
                    }
                )
            }
            inputs += repeatedSound?.inputs ?? []
        }
        inputs += text
        let names = Self.caches(model.contract, [.decoder])
        let outputs = try stop.run(
            model.decoder, inputs, outputs: [WhisperContract.logits] + names.map(\.present), of: WhisperRole.decoder)
        for (name, output) in zip(names, outputs.dropFirst()) where output.shape.first != Int64(tokens.count) {
            throw EngineError.decoder(
                "returns a cache whose shape differs from the shape of its input cache (\(name.present))")
        }
        text = zip(names, outputs.dropFirst()).map { ($0.past, InferenceTensor($1)) }
        rowCount = tokens.count
        return try Self.rows(outputs.first, of: tokens.count, at: Array(tokens.indices), isStep: true)
    }

    private func common(
        _ tokens: [Int], rows: Int, usesCache: Bool
    ) -> [(name: String, tensor: InferenceTensor)] {
        [
            (
                WhisperContract.ids,
                InferenceTensor(tokens.map { Int64($0) }, shape: [Int64(rows), Int64(tokens.count / rows)])
            ),
            (WhisperContract.encoded, InferenceTensor(hidden)),
            (WhisperContract.usesCache, InferenceTensor([usesCache], shape: [1])),
        ]
    }

    /// Reorders the caches to match the hypotheses that continue.
    private mutating func choose(_ parents: [Int]) throws {
        guard parents != Array(0..<rowCount) else { return }
        let element = model.contract.cacheElement
        text = try text.map { name, tensor in
            (name, try Self.rows(parents, of: tensor, as: element))
        }
        rowCount = parents.count
    }

    private static func rows(
        _ rows: [Int], of tensor: InferenceTensor, as element: WhisperContract.Element
    ) throws -> InferenceTensor {
        guard case .output(let output) = tensor.values, let count = tensor.shape.first, count > 0 else {
            throw EngineError.internalFault("a cache tensor is not an output of the model")
        }
        let length = output.count / Int(count)
        let shape = [rows.count] + tensor.shape.dropFirst().map { Int($0) }
        guard let numbers = numbers(of: rows.filter { $0 >= 0 && $0 < Int(count) }, length, in: output) else {
            throw EngineError.decoder("returns a cache that does not contain floats")
        }
        return WhisperContract.tensor(numbers, shape, as: element)
    }

    /// Returns the numbers of these rows, each of which has `length` numbers; `nil` unless the output contains floats.
    private static func numbers(of rows: [Int], _ length: Int, in output: InferenceOutput) -> [Float]? {
        func chosen(_ numbers: some RandomAccessCollection<Float>) -> [Float] {
            var chosen: [Float] = []
            chosen.reserveCapacity(rows.count * length)
            for row in rows { chosen += numbers.dropFirst(row * length).prefix(length) }
            return chosen
        }
        return output.withFloats { chosen($0) } ?? output.floats().map { chosen($0) }
    }

    /// - Parameter isStep: Whether each row belongs to a different text rather than to a position in the same text.
    private static func rows(
        _ output: InferenceOutput?, of count: Int, at positions: [Int], isStep: Bool = false
    ) throws -> ScoreRows {
        guard let output, output.shape.count == 3, output.shape[2] > 0, output.shape[isStep ? 0 : 1] == Int64(count),
            output.shape[isStep ? 1 : 0] == 1, positions.allSatisfy((0..<count).contains)
        else { throw EngineError.decoder("returns scores of an unexpected shape") }
        let width = Int(output.shape[2])
        guard let numbers = numbers(of: positions, width, in: output), numbers.count == positions.count * width else {
            throw EngineError.decoder("returns scores of an unexpected shape")
        }
        return ScoreRows(numbers: numbers, width: width)
    }

    private static func caches(
        _ contract: WhisperContract, _ sides: [WhisperContract.Side]
    ) -> [(side: WhisperContract.Side, past: String, present: String)] {
        (0..<contract.layerCount).flatMap { layer in
            sides.flatMap { side in
                WhisperContract.Part.allCases.map { part in
                    (side, WhisperContract.past(layer, side, part), WhisperContract.present(layer, side, part))
                }
            }
        }
    }
}
