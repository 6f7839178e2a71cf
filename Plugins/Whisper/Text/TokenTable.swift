import EngineKit
import SynthJSON
import SynthRecognizerParts

/// A model's tokens, read from its `tokenizer.json`: special tokens by name, text tokens as bytes.
///
/// The IDs of special tokens differ between multilingual, English-only and large-v3 models, so no ID is a constant.
/// Tokens with IDs below `end` are text.
struct TokenTable: Sendable {
    /// The maximum number of tokens. Published models have at most 51,866.
    private static let most = 1 << 18
    private static let maximumValues = 1 << 20
    /// The last timestamp, `<|30.00|>`.
    static let lastTime = 1500
    static let secondsPerTime = 0.02

    let start: Int
    let end: Int
    let transcribe: Int
    let translate: Int?
    /// The token that marks preceding text.
    let previous: Int?
    /// The silence token.
    let quiet: Int?
    let untimed: Int
    /// The token `<|0.00|>`; each of the following tokens is 0.02 s later.
    let zero: Int
    /// Language codes and their token IDs, ordered by ID.
    let languages: [(code: String, id: Int)]
    /// The token for a single space, which is never the first token of the text.
    let space: Int?
    /// The bytes of each token, indexed by ID; `nil` for unused IDs.
    private let pieces: [[UInt8]?]
    private let ids: [[UInt8]: Int]

    init(json: [UInt8]) throws {
        let node: JSONNode
        do {
            node = try JSONReader.read(json, allowsRepeatedKeys: true, maximumValues: Self.maximumValues)
        } catch {
            throw EngineError.tokenizer("is not JSON (line \(error.line): \(error.reason))")
        }
        guard case .object(let vocabulary)? = node.value(at: ["model", "vocab"]) else {
            throw EngineError.tokenizer("has no list of tokens")
        }
        var names: [String: Int] = [:]
        for member in vocabulary { names[member.name] = try Self.id(member.node) }
        if case .array(let added)? = node.value(at: ["added_tokens"]) {
            for token in added {
                guard case .string(let name)? = token.value(at: ["content"]), let member = token.member("id") else {
                    throw EngineError.tokenizer("has an added token without a name or an ID")
                }
                names[name] = try Self.id(member)
            }
        }
        try self.init(names: names)
    }

    private static func id(_ node: JSONNode) throws -> Int {
        guard case .number(let number) = node.value, let id = Int(exactly: number), (0..<most).contains(id) else {
            throw EngineError.tokenizer("has a token without a valid ID (line \(node.line))")
        }
        return id
    }

    /// - Parameter names: The IDs of all tokens, keyed by name. Text tokens are named with `ByteLetters`.
    init(names: [String: Int]) throws {
        func id(_ name: String) throws -> Int {
            guard let id = names["<|\(name)|>"] else { throw EngineError.tokenizer("has no token <|\(name)|>") }
            return id
        }
        let end = try id("endoftext")
        let start = try id("startoftranscript")
        let transcribe = try id("transcribe")
        let untimed = try id("notimestamps")
        guard start > end, transcribe > start, untimed > transcribe else {
            throw EngineError.tokenizer("lists Whisper's special tokens in an unexpected order")
        }
        (self.end, self.start, self.transcribe, self.untimed) = (end, start, transcribe, untimed)
        translate = names["<|translate|>"]
        previous = names["<|startofprev|>"]
        quiet = names["<|nospeech|>"] ?? names["<|nocaptions|>"]
        // Older files do not list the timestamps, which follow all other tokens.
        zero = names["<|0.00|>"] ?? untimed + 1
        guard zero > untimed else { throw EngineError.tokenizer("has timestamp tokens before other tokens") }
        languages = names.compactMap { name, id in
            guard id > start, id < transcribe, name.hasPrefix("<|"), name.hasSuffix("|>") else { return nil }
            let code = String(name.dropFirst(2).dropLast(2))
            return (2...3).contains(code.utf8.count) ? (code, id) : nil
        }.sorted { $0.id < $1.id }
        var pieces = [[UInt8]?](repeating: nil, count: end)
        var ids: [[UInt8]: Int] = [:]
        for (name, id) in names where id < end {
            guard let bytes = ByteLetters.bytes(of: name) else { continue }
            pieces[id] = bytes
            ids[bytes] = min(id, ids[bytes] ?? id)
        }
        self.pieces = pieces
        self.ids = ids
        space = ids[[UInt8(ascii: " ")]]
    }

    /// The highest ID that the model must score.
    var largest: Int { max(untimed, languages.last?.id ?? 0) }

    func isText(_ token: Int) -> Bool { token < end }

    func isTime(_ token: Int) -> Bool { token >= zero }

    /// Returns a timestamp token's time, in seconds from the start of the window.
    func seconds(_ token: Int) -> Double { Double(min(token - zero, Self.lastTime)) * Self.secondsPerTime }

    /// Returns a token's bytes; empty for special tokens and unused IDs. A character may be split across several
    /// tokens.
    func bytes(_ token: Int) -> [UInt8] {
        pieces.indices.contains(token) ? pieces[token] ?? [] : []
    }

    /// Returns the text of the tokens, ignoring special tokens. Invalid UTF-8 becomes U+FFFD, and a zero byte becomes a
    /// space.
    func text(_ tokens: some Sequence<Int>) -> String {
        String(decoding: tokens.flatMap { bytes($0) }.map { $0 == 0 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    func id(_ bytes: [UInt8]) -> Int? { ids[bytes] }
}

/// The letters that represent bytes in `tokenizer.json`, as in GPT-2: visible characters represent themselves; letters for
/// all other bytes start at U+0100.
enum ByteLetters {
    private static let byteOfLetter: [Unicode.Scalar: UInt8] = {
        var letters: [Unicode.Scalar: UInt8] = [:]
        var next: UInt32 = 0x100
        for byte in UInt8.min...UInt8.max {
            switch byte {
            case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: letters[Unicode.Scalar(byte)] = byte
            default:
                if let letter = Unicode.Scalar(next) { letters[letter] = byte }
                next += 1
            }
        }
        return letters
    }()

    /// Returns the bytes of a token name; `nil` if a letter represents no byte.
    static func bytes(of name: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for letter in name.unicodeScalars {
            guard let byte = byteOfLetter[letter] else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension JSONNode {
    func member(_ name: String) -> JSONNode? { members.first { $0.name == name }?.node }
}

/// Converts the text that precedes the audio to tokens.
///
/// Byte pairs are merged as in GPT-2. The IDs are in the order in which the pairs were learned, so the list of merges
/// is not needed.
struct TokenEncoder {
    private let table: TokenTable

    init(_ table: TokenTable) { self.table = table }

    /// Returns the tokens for the text. Bytes without a token are omitted.
    func tokens(of text: String) -> [Int] {
        Self.words(of: text).flatMap { tokens(ofWord: Array($0.utf8)) }
    }

    /// The maximum length of a word in bytes. Longer words are cut because merging takes quadratic time.
    private static let longestWord = 64

    private func tokens(ofWord bytes: [UInt8]) -> [Int] {
        if let id = table.id(bytes) { return [id] }
        return stride(from: 0, to: bytes.count, by: Self.longestWord).flatMap { start in
            let part = bytes[start..<min(bytes.count, start + Self.longestWord)]
            return pairedTokens(part.map { [$0] }, id: table.id).compactMap(\.self)
        }
    }

    private enum Kind {
        case letters, digits, space, others

        init(_ scalar: Unicode.Scalar) {
            let properties = scalar.properties
            if properties.isWhitespace {
                self = .space
            } else {
                switch properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                    self = .letters
                case .decimalNumber, .letterNumber, .otherNumber: self = .digits
                default: self = .others
                }
            }
        }
    }

    private static let endings = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"].map { Array($0.unicodeScalars) }

    /// Splits text into the pieces within which pairs are merged: endings such as `'s`, and runs of letters, digits or
    /// other characters, each with one preceding space.
    static func words(of text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var words: [String] = []
        var position = 0
        func add(_ end: Int) {
            words.append(String(String.UnicodeScalarView(scalars[position..<end])))
            position = end
        }
        while position < scalars.count {
            if let ending = endings.first(where: { scalars[position...].starts(with: $0) }) {
                add(position + ending.count)
                continue
            }
            var start = position
            if scalars[position] == " ", position + 1 < scalars.count, Kind(scalars[position + 1]) != .space {
                start += 1
            }
            let kind = Kind(scalars[start])
            var end = start + 1
            while end < scalars.count, Kind(scalars[end]) == kind { end += 1 }
            // The last of several spaces belongs to the following word.
            if kind == .space, end < scalars.count, end - position > 1 { end -= 1 }
            add(end)
        }
        return words
    }
}
