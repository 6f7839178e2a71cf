/// A prefix tree of phrases, stored as tokens. The phrases are names and terms that a decoder should prefer.
///
/// A hypothesis gets a small bonus for each token of a phrase and loses it again if the phrase is not completed or
/// turns into a longer word. Therefore, only complete phrases have an effect, and the likelihood of hypotheses without
/// a phrase does not change.
package struct PhraseTree: Sendable {
    /// The position of a hypothesis in the tree.
    package struct Position: Hashable, Sendable {
        fileprivate var node = spaced
        /// The bonus granted for a phrase that is not complete yet.
        fileprivate var provisional = 0.0
        /// Whether the phrase is an immediate repetition. Repetitions get no bonus; otherwise, endless repetition of a
        /// phrase would raise the score.
        fileprivate var isRepeat = false
        /// Whether a word may start here without a space.
        fileprivate var isOpen = true

        package init() {}
    }

    private struct Node {
        var next: [Int: Int] = [:]
        /// The first node of the phrase.
        var start: Int?
        /// The bonus for the token that leads to this node.
        var gain = 0.0
        var isEnd = false
        /// Whether no space is needed after the phrase, as in Japanese.
        var endsAnywhere = false
    }

    /// The roots for phrases after a space, and for phrases at the start of the text or after a symbol.
    private static let (spaced, bare) = (0, 1)
    /// The maximum number of tokens per phrase.
    private static let longest = 64

    private let (token, letter): (Double, Double)
    private var nodes = [Node(), Node()]

    /// - Parameters:
    ///   - token: The bonus for each token of a phrase, added to the natural logarithm of a text's probability.
    ///   - letter: The bonus for each byte of a token's letters. With it, a single-token word gets as high a bonus as a
    ///     word with several tokens, and a first token that many words share gets only a low bonus.
    package init(token: Double, letter: Double) { (self.token, self.letter) = (token, letter) }

    package var isEmpty: Bool { nodes.count == 2 }

    /// Adds a phrase, both as is and capitalized, each with and without a preceding space.
    ///
    /// - Parameters:
    ///   - tokens: Returns a text's tokens; `nil` if the model's tokens cannot represent the text.
    ///   - bytes: Returns the bytes of a token's text.
    package mutating func add(_ phrase: String, tokens: (String) -> [Int]?, bytes: (Int) -> [UInt8]) {
        let text = phrase.split { $0.isWhitespace }.joined(separator: " ")
        guard let initial = text.first, let last = text.last else { return }
        let isSpaced = !Self.needsNoSpace(initial)
        for form in Set([text, initial.uppercased() + text.dropFirst()]) {
            for root in [Self.spaced, Self.bare] {
                guard let found = tokens(root == Self.spaced && isSpaced ? " " + form : form) else { continue }
                insert(found, at: root, endsAnywhere: Self.needsNoSpace(last), bytes)
            }
        }
    }

    private mutating func insert(_ tokens: [Int], at root: Int, endsAnywhere: Bool, _ bytes: (Int) -> [UInt8]) {
        guard (1...Self.longest).contains(tokens.count) else { return }
        var node = root
        for token in tokens {
            if let next = nodes[node].next[token] {
                node = next
            } else {
                let letters = bytes(token).count { $0 != UInt8(ascii: " ") }
                nodes.append(Node(gain: self.token + letter * Double(letters)))
                let added = nodes.count - 1
                nodes[added].start = nodes[node].start ?? added
                nodes[node].next[token] = added
                node = added
            }
        }
        nodes[node].isEnd = true
        nodes[node].endsAnywhere = endsAnywhere
    }

    /// Returns the tokens that start or continue a phrase, with their bonuses.
    package func favoured(at place: Position) -> [Int: Double] {
        var found: [Int: Double] = [:]
        let ended = nodes[place.node].isEnd ? nodes[place.node].start : nil
        let within = place.isRepeat ? Self.spaced : place.node
        for node in Set([Self.spaced, place.isOpen ? Self.bare : Self.spaced, within]) {
            for (token, next) in nodes[node].next where next != ended {
                found[token] = max(found[token] ?? 0, nodes[next].gain)
            }
        }
        return found
    }

    /// Returns the position after one more token and the change in the hypothesis's score.
    ///
    /// - Parameter bytes: The bytes of the token's text; empty for an end token or a timestamp.
    package func step(_ place: Position, _ token: Int, bytes: [UInt8]) -> (place: Position, gain: Double) {
        let (node, continuesText) = (nodes[place.node], bytes.first.map(Self.isLetter) ?? false)
        let isWhole = place.node > Self.bare && node.isEnd && (!continuesText || node.endsAnywhere)
        var next = Position()
        next.isOpen = bytes.last.map { !Self.isLetter($0) } ?? true
        if place.node > Self.bare, let child = node.next[token] {
            (next.node, next.isRepeat) = (child, place.isRepeat)
            let gain = place.isRepeat ? 0 : nodes[child].gain
            next.provisional = (isWhole ? 0 : place.provisional) + gain
            return (next, gain)
        }
        let loss = isWhole ? 0 : place.provisional
        let start = nodes[Self.spaced].next[token] ?? (place.isOpen ? nodes[Self.bare].next[token] : nil)
        guard let start else { return (next, -loss) }
        (next.node, next.isRepeat) = (start, isWhole && start == node.start)
        next.provisional = next.isRepeat ? 0 : nodes[start].gain
        return (next, next.provisional - loss)
    }

    /// Whether the byte is a letter, a digit, or part of a non-ASCII character.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
            true
        default: false
        }
    }

    /// Whether the character's script is written without spaces.
    private static func needsNoSpace(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { scalar in
            scalar.properties.isIdeographic || (0x3040...0x30FF).contains(scalar.value)
                || (0x0E00...0x0EFF).contains(scalar.value) || (0x1000...0x109F).contains(scalar.value)
                || (0x1780...0x17FF).contains(scalar.value)
        } ?? false
    }
}

/// Returns the tokens of a word, found by byte-pair merging: adjacent parts are merged as long as the result is a
/// token. The pair with the lowest ID, which was learned first, is merged first.
///
/// - Parameter parts: The initial parts: bytes, or the bytes of characters.
/// - Returns: The token of each part; `nil` for a part that is not a token.
package func pairedTokens(_ parts: [[UInt8]], id: ([UInt8]) -> Int?) -> [Int?] {
    var parts = parts
    while parts.count > 1 {
        var best: (place: Int, id: Int)?
        for place in parts.indices.dropLast() {
            guard let id = id(parts[place] + parts[place + 1]), id < best?.id ?? .max else { continue }
            best = (place, id)
        }
        guard let best else { break }
        parts[best.place] += parts.remove(at: best.place + 1)
    }
    return parts.map(id)
}
