import EngineKit
import Glibc
import SynthRecognizerParts

/// A recognized token with its position in the audio.
struct FoundToken: Equatable, Sendable {
    var token: Int
    /// The index of the encoder frame in its window.
    var frame: Int
    /// The number of frames that the token covers; 0 if the next token starts in the same frame.
    var frames: Int
    /// The probability, 0 … 1.
    var probability: Double
}

/// Converts tokens to texts and words.
struct TokenText: Sendable {
    let vocabulary: TokenVocabulary
    /// The number of audio samples per encoder frame.
    let samplesPerFrame: Int

    /// The maximum number of words per text, as defined in the C header.
    private static let maximumWords = 2048
    private static let sentenceEnds: Set<Character> = [".", "!", "?", "…"]
    private static let closing: Set<Character> = [".", ",", "!", "?", ";", ":", "%", ")", "…"]

    private struct Word {
        var text: String
        var tokens: [FoundToken]
        var endsSentence: Bool { text.last.map(sentenceEnds.contains) ?? false }
    }

    /// The texts of a window: one per sentence, or a single text.
    ///
    /// - Parameter sound: The window's range in samples.
    func texts(_ tokens: [FoundToken], in sound: Range<Int>, isOne: Bool) -> [RecognizedText] {
        var sentences: [[Word]] = [[]]
        for word in words(tokens) {
            sentences[sentences.count - 1].append(word)
            if word.endsSentence && !isOne || sentences[sentences.count - 1].count == Self.maximumWords {
                sentences.append([])
            }
        }
        return sentences.compactMap { text($0, in: sound) }
    }

    /// Returns whether a token begins a word.
    func beginsWord(_ token: FoundToken) -> Bool { vocabulary.piece(token.token).first == " " }

    private func text(_ words: [Word], in sound: Range<Int>) -> RecognizedText? {
        var text = ""
        var spoken: [SpokenWord] = []
        for word in words {
            if !text.isEmpty { text += " " }
            let start = text.utf8.count
            text += word.text
            let confidence = Float(likelihood(word.tokens))
            spoken.append(
                SpokenWord(start..<text.utf8.count, frames: frames(word.tokens, in: sound), confidence: confidence))
        }
        guard let first = spoken.first, let last = spoken.last else { return nil }
        return RecognizedText(
            text, frames: first.frames.lowerBound..<max(first.frames.lowerBound, last.frames.upperBound), words: spoken,
            confidence: Float(likelihood(words.flatMap(\.tokens))))
    }

    private func words(_ tokens: [FoundToken]) -> [Word] {
        var words: [Word] = []
        for token in tokens {
            let piece = vocabulary.piece(token.token)
            guard !piece.isEmpty else { continue }
            let body = String(piece.drop { $0 == " " })
            if piece.first == " " || words.isEmpty {
                words.append(Word(text: body, tokens: [token]))
            } else {
                words[words.count - 1].text += body
                words[words.count - 1].tokens.append(token)
            }
        }
        return words.reduce(into: []) { whole, word in
            guard let first = word.text.first else { return }
            // A punctuation mark follows its word without a space, even if the model inserts one.
            if Self.closing.contains(first), !whole.isEmpty {
                whole[whole.count - 1].text += word.text
                whole[whole.count - 1].tokens += word.tokens
            } else {
                whole.append(word)
            }
        }
    }

    private func frames(_ tokens: [FoundToken], in sound: Range<Int>) -> Range<UInt64> {
        func sample(_ frame: Int) -> Int { min(sound.upperBound, sound.lowerBound + max(0, frame) * samplesPerFrame) }
        let start = sample(tokens.first?.frame ?? 0)
        let end = sample(tokens.last.map { $0.frame + max(1, $0.frames) } ?? 0)
        return UInt64(start)..<UInt64(max(start, end))
    }

    /// Returns the geometric mean of the tokens' probabilities, which even a single uncertain token lowers.
    private func likelihood(_ tokens: [FoundToken]) -> Double {
        guard !tokens.isEmpty else { return 0 }
        let sum = tokens.reduce(0) { $0 + log(max($1.probability, 1e-12)) }
        return min(1, exp(sum / Double(tokens.count)))
    }
}

/// A model's tokens, read from `vocab.txt` or `tokens.txt`. Each line is "TOKEN ID", where ▁ represents a space and `<blk>`
/// is the blank.
struct TokenVocabulary: Sendable {
    /// The maximum number of tokens. Published models have at most 8193.
    private static let most = 1 << 17
    private static let blankName = "<blk>"
    /// Tokens that are not text.
    private static let silent: Set<String> = ["<unk>", "<pad>", "<s>", "</s>", blankName]

    let blank: Int
    private let pieces: [String]
    private let ids: [[UInt8]: Int]

    var count: Int { pieces.count }

    init(_ content: [UInt8]) throws(EngineError) {
        guard String(validating: content, as: UTF8.self) != nil else { throw .tokens("is not UTF-8") }
        var found: [Int: String] = [:]
        var blank: Int?
        // Split by bytes, because a token may be a Unicode line break or combine with the following space into one
        // character.
        for (number, ended) in content.split(separator: 0x0A).enumerated() {
            let line = ended.last == 0x0D ? ended.dropLast() : ended
            if line.isEmpty { continue }
            guard let space = line.lastIndex(of: 0x20),
                let id = Int(String(decoding: line[(space + 1)...], as: UTF8.self)), (0..<Self.most).contains(id)
            else { throw .tokens("has no token with an ID on line \(number + 1)") }
            let token = String(decoding: line[..<space], as: UTF8.self)
            guard found.updateValue(token, forKey: id) == nil else { throw .tokens("contains the ID \(id) twice") }
            if token == Self.blankName { blank = id }
        }
        guard let blank else { throw .tokens("has no \(Self.blankName)") }
        var pieces: [String] = []
        for id in 0..<found.count {
            guard let token = found[id] else { throw .tokens("has no token with the ID \(id)") }
            let isSilent = Self.silent.contains(token) || token.hasPrefix("<|") && token.hasSuffix("|>")
            var scalars = String.UnicodeScalarView()
            // Replace scalars, not characters, because ▁ and a combining mark form one character.
            for scalar in token.unicodeScalars { scalars.append(scalar == "▁" ? " " : scalar) }
            pieces.append(isSilent ? "" : String(scalars))
        }
        (self.blank, self.pieces) = (blank, pieces)
        ids = Dictionary(
            pieces.enumerated().filter { !$0.element.isEmpty }.map { (Array($0.element.utf8), $0.offset) },
            uniquingKeysWith: min)
    }

    /// The maximum number of characters in a word. Words in real text are shorter.
    private static let longestWord = 64

    /// The tokens for text in which each word starts with a space; `nil` if the vocabulary cannot represent the text.
    ///
    /// Pairs are merged in ID order, as in SentencePiece's byte-pair encoding.
    func tokens(of text: String) -> [Int]? {
        var words: [[[UInt8]]] = []
        for scalar in text.unicodeScalars {
            if scalar == " " || words.isEmpty { words.append([]) }
            words[words.count - 1].append(Array(String(Character(scalar)).utf8))
        }
        var found: [Int] = []
        for word in words where word != [[0x20]] {
            guard word.count <= Self.longestWord else { return nil }
            for token in pairedTokens(word, id: { ids[$0] }) {
                guard let token else { return nil }
                found.append(token)
            }
        }
        return found.isEmpty ? nil : found
    }

    /// A token's text. A leading space starts a word.
    func piece(_ token: Int) -> String { pieces.indices.contains(token) ? pieces[token] : "" }
}
