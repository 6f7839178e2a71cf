import EngineKit
import SynthEnglish
import SynthSymbols

extension EnglishAccent {
    /// - Parameters:
    ///   - voice: The id. Those of published voices begin with a letter for the accent and one for the gender: "bf_emma".
    ///   - tag: The language of the text, BCP-47; `nil` = the voice's own.
    init(voice: String, tag: String?) throws {
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

extension EnglishReader: EnglishSource {
    func sentences(of text: String) -> [Range<Int>] { EnglishSentences.ranges(of: text) }

    func read(_ sentence: String) -> SpokenSentence {
        let reading: EnglishReading = read(sentence)
        if !reading.unreadable.isEmpty {
            let utf8 = Array(sentence.utf8)
            let list = reading.unreadable.prefix(8).map { "\"\(String(decoding: utf8[$0], as: UTF8.self))\"" }
            EngineLog.warning("Left out what has no sound in English: \(list.joined(separator: ", ")).")
        }
        return SpokenSentence(
            symbols: reading.symbols, words: reading.words.map { PhonemeWord(symbols: $0.symbols, bytes: $0.bytes) },
            bytes: 0..<sentence.utf8.count)
    }
}
