import EngineKit
import SynthSymbols

/// The English that a voice was trained on.
enum EnglishAccent: Sendable {
    case american, british

    /// - Parameters:
    ///   - voice: The id. Those of published voices begin with a letter for the accent and one for the gender: "bf_emma".
    ///   - tag: The language of the text, BCP-47; `nil` = the voice's own.
    init(voice: String, tag: String?) throws(EngineError) {
        let parts = (tag ?? "").lowercased().split { $0 == "-" || $0 == "_" }
        guard parts.first.map({ $0 == "en" }) ?? true else {
            throw EngineError(.badRequest, "Hibari does not speak the language \"\(tag ?? "")\". It speaks English.")
        }
        let letters = Array(voice.prefix(3))
        if letters.count == 3, letters[2] == "_", letters[1] == "f" || letters[1] == "m", "ab".contains(letters[0]) {
            self = letters[0] == "b" ? .british : .american
        } else {
            self = parts.contains("gb") ? .british : .american
        }
    }
}

/// Reads English text as Kokoro's symbols.
protocol EnglishSource: Sendable {
    /// Where the sentences of a text are, in its UTF-8.
    func sentences(of text: String) -> [Range<Int>]

    /// The symbols of one sentence. Places of words are counted from its beginning.
    func read(_ sentence: String) -> SpokenSentence
}

/// Cuts text after marks that end a sentence.
enum SentenceCuts {
    private static let closing: Set<Unicode.Scalar> = ["\"", "'", "”", "’", ")", "]", "»"]

    static func ranges(of text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, position) = (0, 0)
        var (isEnding, isSpaced) = (false, false)
        for scalar in text.unicodeScalars {
            if isSpaced, !scalar.properties.isWhitespace {
                ranges.append(start..<position)
                start = position
                (isEnding, isSpaced) = (false, false)
            }
            if Punctuation.stops.contains(scalar) {
                isEnding = true
            } else if isEnding, scalar.properties.isWhitespace {
                isSpaced = true
            } else if !closing.contains(scalar) {
                isEnding = false
            }
            position += UTF8.width(scalar)
        }
        if start < position { ranges.append(start..<position) }
        return ranges
    }
}
