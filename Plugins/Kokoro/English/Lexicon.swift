import EngineKit
import FoundationEssentials
import ONNXInference

/// A list of English words and their phonemes, in Kokoro's symbols.
///
/// Either misaki's word lists (JSON: a word and its phonemes, or its phonemes by part of speech) or lines of a word and
/// its phonemes, which may be separated by spaces. misaki has a list for each variety of English. Its symbols tell
/// which one it is for, and the other variety does not use it.
struct Lexicon: Sendable {
    private struct Entry: Decodable {
        var phonemes: String?
        /// The form at the end of a clause, if the list has one.
        var last: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let phonemes = try? container.decode(String.self) {
                self.phonemes = phonemes
            } else {
                let forms = try container.decode([String: String?].self)
                phonemes = forms["DEFAULT"] ?? nil
                last = forms["None"] ?? nil
            }
        }
    }

    private static let sizeLimit = 64 << 20

    /// Symbols that only one variety has, in misaki's phonemes.
    private static let americanOnly = Set("Oæᵻɾʔ".unicodeScalars)
    private static let britishOnly = Set("Qaɒː".unicodeScalars)

    /// The one variety that the list is for; `nil` if it is for both or does not show it.
    private(set) var variety: KokoroLanguage?
    private var words: [String: String] = [:]
    private var lastWords: [String: String] = [:]

    /// Takes about half a second for a hundred thousand words.
    init(path: String) throws(EngineError) {
        guard let file = try? MappedFile(path), file.bytes.count <= Self.sizeLimit else {
            throw KokoroFailure.lexicon("is empty, too large or cannot be read")
        }
        let bytes = Array(file.bytes)
        switch bytes.first(where: { $0 > UInt8(ascii: " ") }) {
        case UInt8(ascii: "{"): try read(json: bytes)
        case UInt8(ascii: "<"): throw KokoroFailure.lexicon("is a web page")
        default: try read(lines: bytes)
        }
    }

    private mutating func read(json: [UInt8]) throws(EngineError) {
        guard let entries = try? JSONDecoder().decode([String: Entry].self, from: Data(json)) else {
            throw KokoroFailure.lexicon("is no list of words and phonemes")
        }
        for (word, entry) in entries {
            words[word] = entry.phonemes
            lastWords[word] = entry.last
        }
        var found: Set<KokoroLanguage> = []
        for symbol in Set(words.values.lazy.flatMap(\.unicodeScalars)) {
            if Self.americanOnly.contains(symbol) { found.insert(.american) }
            if Self.britishOnly.contains(symbol) { found.insert(.british) }
        }
        variety = found.count == 1 ? found.first : nil
    }

    private mutating func read(lines: [UInt8]) throws(EngineError) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard parts.count > 1 else { continue }
            words[String(parts[0])] = parts.dropFirst().joined()
        }
        guard !words.isEmpty else { throw KokoroFailure.lexicon("is no list of words and phonemes") }
    }

    /// `nil` if the list has neither the word nor the word without its -s, -ed or -ing.
    func symbols(of text: String, _ language: KokoroLanguage, isFollowed: Bool) -> [Unicode.Scalar]? {
        guard variety == nil || variety == language, !EnglishWords.contextual.contains(text.lowercased()) else {
            return nil
        }
        let word = text.replacing("’", with: "'")
        let phonemes =
            find(word, isFollowed: isFollowed)
            ?? EnglishEndings.phonemes(of: word, language) { find($0, isFollowed: true) }
        return phonemes.map { phonemes in
            EnglishWords.stressed(phonemes.unicodeScalars.map { $0 == "ɾ" ? "T" : $0 == "ʔ" ? "t" : $0 }, as: text)
        }
    }

    private func find(_ word: String, isFollowed: Bool) -> String? {
        let lowercase = word.lowercased()
        for form in [word, lowercase, lowercase.prefix(1).uppercased() + lowercase.dropFirst()] {
            if !isFollowed, let phonemes = lastWords[form] { return phonemes }
            if let phonemes = words[form] { return phonemes }
        }
        return nil
    }
}
