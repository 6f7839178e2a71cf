import EngineKit
import Glibc
import SynthRecognizerParts

/// A token of a text, with its place in the sound.
struct FoundToken: Equatable, Sendable {
    var token: Int
    /// Of the encoder, from the first of its window.
    var frame: Int
    /// How many frames it takes; 0 = the next token is in the same one.
    var frames: Int
    /// 0 … 1
    var probability: Double
}

/// Makes texts and words of tokens.
struct TokenText: Sendable {
    let vocabulary: TokenTable
    /// Of the sound, for a frame of the encoder.
    let samplesPerFrame: Int

    /// As the header allows.
    private static let mostWords = 2048
    private static let sentenceEnds: Set<Character> = [".", "!", "?", "…"]
    private static let closing: Set<Character> = [".", ",", "!", "?", ";", ":", "%", ")", "…"]

    private struct Word {
        var text: String
        var tokens: [FoundToken]
        var endsSentence: Bool { text.last.map(sentenceEnds.contains) ?? false }
    }

    /// A text for each sentence, or one for all.
    ///
    /// - Parameter sound: The window's place, in samples.
    func texts(_ tokens: [FoundToken], in sound: Range<Int>, isOne: Bool) -> [HeardText] {
        var sentences: [[Word]] = [[]]
        for word in words(tokens) {
            sentences[sentences.count - 1].append(word)
            if word.endsSentence && !isOne || sentences[sentences.count - 1].count == Self.mostWords {
                sentences.append([])
            }
        }
        return sentences.compactMap { text($0, in: sound) }
    }

    private func text(_ words: [Word], in sound: Range<Int>) -> HeardText? {
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
        return HeardText(
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
            // A mark stands at its word, whatever the model writes.
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

    /// The mean of the tokens', by their logarithms: one that was guessed counts.
    private func likelihood(_ tokens: [FoundToken]) -> Double {
        guard !tokens.isEmpty else { return 0 }
        let sum = tokens.reduce(0) { $0 + log(max($1.probability, 1e-12)) }
        return min(1, exp(sum / Double(tokens.count)))
    }
}

/// The tokens of a model, read from `vocab.txt` or `tokens.txt`: a line "TOKEN ID" each, in which ▁ stands for a space, and `<blk>`
/// for nothing said.
struct TokenTable: Sendable {
    /// The published ones have 8193 at most.
    private static let most = 1 << 17
    private static let blankName = "<blk>"
    /// Others that are no text.
    private static let silent: Set<String> = ["<unk>", "<pad>", "<s>", "</s>", blankName]

    let blank: Int
    private let pieces: [String]
    private let ids: [[UInt8]: Int]

    var count: Int { pieces.count }

    init(_ content: [UInt8]) throws(EngineError) {
        guard String(validating: content, as: UTF8.self) != nil else { throw .tokens("is no UTF-8") }
        var found: [Int: String] = [:]
        var blank: Int?
        // By bytes: a token may be what Unicode calls the end of a line, or join the space to one character.
        for (number, ended) in content.split(separator: 0x0A).enumerated() {
            let line = ended.last == 0x0D ? ended.dropLast() : ended
            if line.isEmpty { continue }
            guard let space = line.lastIndex(of: 0x20),
                let id = Int(String(decoding: line[(space + 1)...], as: UTF8.self)), (0..<Self.most).contains(id)
            else { throw .tokens("has no token with its number in line \(number + 1)") }
            let token = String(decoding: line[..<space], as: UTF8.self)
            guard found.updateValue(token, forKey: id) == nil else { throw .tokens("has the number \(id) twice") }
            if token == Self.blankName { blank = id }
        }
        guard let blank else { throw .tokens("has no \(Self.blankName)") }
        var pieces: [String] = []
        for id in 0..<found.count {
            guard let token = found[id] else { throw .tokens("has no token with the number \(id)") }
            let isSilent = Self.silent.contains(token) || token.hasPrefix("<|") && token.hasSuffix("|>")
            var scalars = String.UnicodeScalarView()
            // A combining mark after it makes one character of both.
            for scalar in token.unicodeScalars { scalars.append(scalar == "▁" ? " " : scalar) }
            pieces.append(isSilent ? "" : String(scalars))
        }
        (self.blank, self.pieces) = (blank, pieces)
        ids = Dictionary(
            pieces.enumerated().filter { !$0.element.isEmpty }.map { (Array($0.element.utf8), $0.offset) },
            uniquingKeysWith: min)
    }

    /// A longer word is not in any text.
    private static let longestWord = 64

    /// The tokens of a text, in which a space begins each word; `nil` if the model cannot write it.
    ///
    /// Pairs are joined in the order of their numbers, as SentencePiece's byte pairs are learned.
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

    /// The text of a token; a space at its beginning begins a word.
    func piece(_ token: Int) -> String { pieces.indices.contains(token) ? pieces[token] : "" }
}
