import EngineKit

/// The tokens of a model, read from `vocab.txt` or `tokens.txt`: a line "TOKEN ID" each, in which ▁ stands for a space, and `<blk>`
/// for nothing said.
struct Vocabulary: Sendable {
    /// The published ones have 8193 at most.
    private static let most = 1 << 17
    private static let blankName = "<blk>"
    /// Others that are no text.
    private static let silent: Set<String> = ["<unk>", "<pad>", "<s>", "</s>", blankName]

    let blank: Int
    private let pieces: [String]

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
    }

    /// The text of a token; a space at its beginning begins a word.
    func piece(_ token: Int) -> String { pieces.indices.contains(token) ? pieces[token] : "" }
}
