/// Guesses the part of speech of each token in the text, as a Penn tag.
///
/// A token's features are its lowercase form, its last three letters, its first two letters, and its shape. Each
/// feature is hashed into an embedding table. Three convolution layers then combine the features of each token with
/// those of the three tokens on either side.
package struct Tagger: Sendable {
    private static let layerCount = 3

    private let tags: [String]
    private let words: EmbeddingTable
    private let ends: EmbeddingTable
    private let beginnings: EmbeddingTable
    private let shapes: EmbeddingTable
    private let enter: Matrix
    private let enterBias: [Float]
    private let layers: [(matrix: Matrix, bias: [Float])]
    private let out: Matrix
    private let outBias: [Float]

    package init(_ file: TensorFile) throws {
        var file = file
        guard file.lists.count == 1, let tags = file.lists.first, !tags.isEmpty else {
            throw file.damage
        }
        self.tags = tags
        let size = 40
        let width = 96
        words = try file.table(columns: size)
        ends = try file.table(columns: size)
        beginnings = try file.table(columns: size)
        shapes = try file.table(columns: size)
        enter = try file.matrix(rows: width, columns: 4 * size)
        enterBias = try file.bias(width)
        var layers: [(Matrix, [Float])] = []
        for _ in 0..<Self.layerCount {
            layers.append((try file.matrix(rows: width, columns: 3 * width), try file.bias(width)))
        }
        self.layers = layers
        out = try file.matrix(rows: tags.count, columns: width)
        outBias = try file.bias(tags.count)
        try file.expectEnd()
    }

    package func tags(of tokens: [String]) -> [String] {
        let width = enter.rows
        let size = words.columns
        // Add a token of zeros at each end so that every window is complete.
        var state = [Float](repeating: 0, count: (tokens.count + 2) * width)
        for (index, token) in tokens.enumerated() {
            var input = [Float](repeating: 0, count: 4 * size)
            let lower = token.lowercased()
            words.add(Self.hash(lower.unicodeScalars, 1) % words.rows, to: &input, at: 0)
            words.add(Self.hash(lower.unicodeScalars, 2) % words.rows, to: &input, at: 0)
            ends.add(Self.hash(lower.unicodeScalars.suffix(3), 3) % ends.rows, to: &input, at: size)
            beginnings.add(Self.hash(lower.unicodeScalars.prefix(2), 4) % beginnings.rows, to: &input, at: 2 * size)
            shapes.add(Self.hash(Self.shape(of: token), 5) % shapes.rows, to: &input, at: 3 * size)
            var sums = enterBias
            enter.multiply(input, addingTo: &sums)
            for column in 0..<width { state[(index + 1) * width + column] = max(0, sums[column]) }
        }
        for layer in layers {
            var next = state
            for index in tokens.indices {
                var sums = layer.bias
                layer.matrix.multiply(state, at: index * width, addingTo: &sums)
                for column in 0..<width { next[(index + 1) * width + column] += max(0, sums[column]) }
            }
            state = next
        }
        return tokens.indices.map { index in
            var sums = outBias
            out.multiply(state, at: (index + 1) * width, addingTo: &sums)
            return tags[sums.indices.max { sums[$0] < sums[$1] } ?? 0]
        }
    }

    /// The seeded FNV-1a hash of the text's UTF-8 bytes.
    private static func hash(_ text: some Sequence<Unicode.Scalar>, _ seed: UInt32) -> Int {
        var hash: UInt32 = 2_166_136_261 ^ seed
        for scalar in text { for byte in UTF8.encode(scalar) ?? .init() { hash = (hash ^ UInt32(byte)) &* 16_777_619 } }
        return Int(hash ^ (hash >> 15))
    }

    /// A token's character classes, with repetitions limited to three: "Xxxx", "X.X.".
    private static func shape(of token: String) -> [Unicode.Scalar] {
        var shape: [Unicode.Scalar] = []
        for scalar in token.unicodeScalars {
            let properties = scalar.properties
            let kind: Unicode.Scalar =
                properties.isUppercase
                ? "X" : properties.isAlphabetic ? "x" : properties.numericType == .decimal ? "d" : scalar
            if shape.suffix(3) != [kind, kind, kind] { shape.append(kind) }
        }
        return shape
    }
}
