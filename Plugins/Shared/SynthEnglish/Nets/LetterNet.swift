/// Guesses the phonemes of an unlisted word from its letters.
///
/// Two layers of gated recurrent units (GRU) read the letters in both directions. A third layer produces the phonemes letter
/// by letter; its input includes its output for the previous letter.
package struct LetterNet: Sendable {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz'".unicodeScalars)
    /// The maximum number of letters that are processed at a time. No word in the training data is longer.
    private static let longest = 40
    /// The maximum number of letters to read. The rest of a longer word is ignored.
    private static let most = 2_000

    /// A letter's possible pronunciations: no phoneme, one, or several.
    private let chunks: [[Unicode.Scalar]]
    private let alphabet: EmbeddingTable
    private let first: (forward: GatedUnit, backward: GatedUnit)
    private let second: (forward: GatedUnit, backward: GatedUnit)
    private let previous: EmbeddingTable
    private let writer: GatedUnit
    private let out: Matrix
    private let outBias: [Float]
    /// The offset of the accent's rows in the embedding table.
    private let shift: Int

    package init(_ file: TensorFile, _ accent: EnglishAccent) throws {
        var file = file
        guard file.lists.count == 1, let chunks = file.lists.first, !chunks.isEmpty else {
            throw file.damage
        }
        self.chunks = chunks.map { Array($0.unicodeScalars) }
        let (letter, hidden, before, written) = (48, 128, 48, 192)
        alphabet = try file.table(rows: 2 * Self.letters.count, columns: letter)
        first = (try GatedUnit(&file, letter, hidden), try GatedUnit(&file, letter, hidden))
        second = (try GatedUnit(&file, 2 * hidden, hidden), try GatedUnit(&file, 2 * hidden, hidden))
        previous = try file.table(rows: chunks.count + 1, columns: before)
        writer = try GatedUnit(&file, 2 * hidden + before, written)
        out = try file.matrix(rows: chunks.count, columns: written)
        outBias = try file.bias(chunks.count)
        try file.expectEnd()
        shift = accent == .british ? Self.letters.count : 0
    }

    /// - Parameter word: Letters a to z and apostrophes; other characters are skipped.
    package func sounds(of word: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
        var rest = Array(word.lazy.compactMap { Self.letters.firstIndex(of: $0) }.prefix(Self.most))[...]
        var sounds: [Unicode.Scalar] = []
        while !rest.isEmpty {
            sounds += self.sounds(of: rest.prefix(Self.longest))
            rest = rest.dropFirst(Self.longest)
        }
        return sounds
    }

    /// - Parameter letters: Letter indices.
    private func sounds(of letters: ArraySlice<Int>) -> [Unicode.Scalar] {
        let inputs = letters.map { letter in
            var vector = [Float](repeating: 0, count: alphabet.columns)
            alphabet.add(letter + shift, to: &vector, at: 0)
            return vector
        }
        let read = Self.both(second, Self.both(first, inputs))
        var state = [Float](repeating: 0, count: writer.size)
        var before = chunks.count
        var sounds: [Unicode.Scalar] = []
        for vector in read {
            var input = vector + [Float](repeating: 0, count: previous.columns)
            previous.add(before, to: &input, at: vector.count)
            writer.step(input, &state)
            var sums = outBias
            out.multiply(state, addingTo: &sums)
            before = sums.indices.max { sums[$0] < sums[$1] } ?? 0
            sounds += chunks[before]
        }
        return sounds
    }

    /// Reads a sequence in both directions and concatenates the two states at each position.
    private static func both(_ units: (forward: GatedUnit, backward: GatedUnit), _ inputs: [[Float]]) -> [[Float]] {
        var states = [[Float]](repeating: [], count: inputs.count)
        var state = [Float](repeating: 0, count: units.forward.size)
        for index in inputs.indices {
            units.forward.step(inputs[index], &state)
            states[index] = state
        }
        state = [Float](repeating: 0, count: units.backward.size)
        for index in inputs.indices.reversed() {
            units.backward.step(inputs[index], &state)
            states[index] += state
        }
        return states
    }
}

/// A gated recurrent unit. The gates are in PyTorch's order: reset, update, new.
struct GatedUnit: Sendable {
    let size: Int
    private let input: Matrix
    private let inputBias: [Float]
    private let state: Matrix
    private let stateBias: [Float]

    init(_ file: inout TensorFile, _ inputs: Int, _ size: Int) throws {
        self.size = size
        input = try file.matrix(rows: 3 * size, columns: inputs)
        state = try file.matrix(rows: 3 * size, columns: size)
        inputBias = try file.bias(3 * size)
        stateBias = try file.bias(3 * size)
    }

    func step(_ vector: [Float], _ memory: inout [Float]) {
        var fromInput = inputBias
        input.multiply(vector, addingTo: &fromInput)
        var fromState = stateBias
        state.multiply(memory, addingTo: &fromState)
        for index in 0..<size {
            let reset = Self.sigmoid(fromInput[index] + fromState[index])
            let update = Self.sigmoid(fromInput[size + index] + fromState[size + index])
            let new = Self.tanh(fromInput[2 * size + index] + reset * fromState[2 * size + index])
            memory[index] = new + update * (memory[index] - new)
        }
    }

    private static func sigmoid(_ value: Float) -> Float { 1 / (1 + exponential(-value)) }
    private static func tanh(_ value: Float) -> Float { 2 / (1 + exponential(-2 * value)) - 1 }

    /// The exponential function, with a relative error below 1e-6.
    private static func exponential(_ value: Float) -> Float {
        let scaled = max(-87, min(87, value)) * 1.442695
        let whole = scaled.rounded(.toNearestOrEven)
        let rest = (scaled - whole) * 0.6931472
        var sum: Float = 1.0 / 720
        for factor: Float in [1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1, 1] { sum = sum * rest + factor }
        return Float(sign: .plus, exponent: Int(whole), significand: sum)
    }
}
