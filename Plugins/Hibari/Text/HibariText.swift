import EngineKit
import SynthEnglish
import SynthSymbols

/// Reads a request's sentences one at a time so that the first audio need not wait for the entire text.
struct HibariText {
    private struct Piece {
        var text: String
        /// The byte offset of the piece in the request's text.
        var shift: Int
        /// The phonemes of a `[[ … ]]` block, and the punctuation that follows it.
        var symbols: [Unicode.Scalar]?
        var endsSentence: Bool

        var byteRange: Range<Int> { shift..<shift + text.utf8.count }
    }

    private var pieces: ArraySlice<Piece>
    private let source: any EnglishSource

    init(_ text: String, _ kind: SpeechRequest.Kind, _ source: any EnglishSource) {
        self.source = source
        let parts: [InlinePhonemes.Part]
        switch kind {
        case .text: parts = [InlinePhonemes.Part(text: text, isPhonemes: false, bytes: 0..<text.utf8.count)]
        case .textAndPhonemes: parts = InlinePhonemes.parts(of: text)
        case .phonemes:
            pieces = [Piece(text: text, shift: 0, symbols: Array(text.unicodeScalars), endsSentence: true)]
            return
        }
        let read = parts.flatMap { part -> [Piece] in
            let start = part.bytes.lowerBound
            guard !part.isPhonemes else {
                return [Piece(text: part.text, shift: start, symbols: part.symbols, endsSentence: part.endsSentence)]
            }
            let utf8 = Array(part.text.utf8)
            let ranges = source.sentences(of: part.text)
            return ranges.enumerated().map { index, range in
                let text = String(decoding: utf8[range], as: UTF8.self)
                let endsSentence = index + 1 < ranges.count || Self.endsSentence(text)
                return Piece(text: text, shift: start + range.lowerBound, endsSentence: endsSentence)
            }
        }
        pieces = read[...]
    }

    /// The next sentence that contains a spoken word.
    mutating func next() -> SpokenSentence? {
        while !pieces.isEmpty {
            var sentence = SpokenSentence()
            while let piece = pieces.popFirst() {
                sentence.append(read(piece))
                if piece.endsSentence { break }
            }
            sentence.removeTrailingSpace()
            if !sentence.isSilent { return sentence }
        }
        return nil
    }

    private func read(_ piece: Piece) -> SpokenSentence {
        guard let symbols = piece.symbols else {
            let sentence = source.read(piece.text).shifted(by: piece.shift)
            return spaced(sentence, piece.text.unicodeScalars.first, piece.text.unicodeScalars.last)
        }
        var sentence = WrittenPhonemes.sentence(String(String.UnicodeScalarView(symbols)))
        if piece.text.hasPrefix("[[") {
            // Words inside a block have no separate text positions, so each gets the position of the block.
            sentence.words = sentence.words.map { PhonemeWord(symbols: $0.symbols, bytes: piece.byteRange) }
        }
        sentence.bytes = piece.byteRange
        return spaced(sentence, symbols.first, symbols.last)
    }

    /// Adds a space wherever the text has one before or after a piece so that words in adjacent pieces stay separate.
    private func spaced(
        _ sentence: SpokenSentence, _ first: Unicode.Scalar?, _ last: Unicode.Scalar?
    ) -> SpokenSentence {
        var sentence = sentence
        if first?.properties.isWhitespace == true, sentence.symbols.first != SpokenSentence.space {
            var moved = SpokenSentence(symbols: [SpokenSentence.space], words: [], bytes: sentence.bytes)
            moved.append(sentence)
            sentence = moved
        }
        if last?.properties.isWhitespace == true { sentence.append(SpokenSentence.space) }
        return sentence
    }

    private static func endsSentence(_ text: String) -> Bool {
        text.unicodeScalars.last { $0.properties.isAlphabetic || Punctuation.stops.contains($0) }
            .map { Punctuation.stops.contains($0) } ?? false
    }
}

extension EnglishAccent {
    /// - Parameters:
    ///   - voice: The voice's ID. In IDs of published voices, such as "bf_emma", the first letter is the accent and the
    ///     second is the gender.
    ///   - tag: The language of the text as a BCP 47 tag; `nil` selects the voice's language.
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

/// Converts English text to Kokoro's symbols.
protocol EnglishSource: Sendable {
    /// The UTF-8 ranges of the sentences.
    func sentences(of text: String) -> [Range<Int>]

    /// The symbols of one sentence. Word positions are relative to the start of the sentence.
    func read(_ sentence: String) -> SpokenSentence
}

extension EnglishReader: EnglishSource {
    func sentences(of text: String) -> [Range<Int>] { EnglishSentences.ranges(of: text) }

    func read(_ sentence: String) -> SpokenSentence {
        let reading: EnglishReading = read(sentence)
        if !reading.unreadable.isEmpty {
            let utf8 = Array(sentence.utf8)
            let list = reading.unreadable.prefix(8).map { "\"\(String(decoding: utf8[$0], as: UTF8.self))\"" }
            EngineLog.warning("Skipped text without an English pronunciation: \(list.joined(separator: ", ")).")
        }
        return SpokenSentence(
            symbols: reading.symbols, words: reading.words.map { PhonemeWord(symbols: $0.symbols, bytes: $0.bytes) },
            bytes: 0..<sentence.utf8.count)
    }
}
