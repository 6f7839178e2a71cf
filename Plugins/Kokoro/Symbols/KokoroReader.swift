package import SynthEnglish
package import SynthPhonemes
package import SynthSymbols

/// Converts text to the symbols that Kokoro was trained on, sentence by sentence.
///
/// espeak-ng returns the phonemes of a complete clause without its quotation marks and brackets. Therefore, these
/// phonemes are aligned with the phonemes of each word in isolation, and the punctuation between the words of the text
/// is reinserted. The text is split once, but sentences are converted one at a time so that the first audio need not
/// wait for the entire text.
package struct KokoroReader {
    /// Symbols that are missing from the vocabulary, with the number of times that each was omitted.
    private(set) var unknown: [Unicode.Scalar: Int] = [:]

    private let utf8: [UInt8]
    private let language: KokoroLanguage
    private let voice: String
    private let lexicon: PronunciationLexicon?
    /// The words of an English text; `nil` for other languages. Even in English text, espeak-ng reads numbers and
    /// foreign words.
    private var english: EnglishPositions?
    private let clauses: [Espeak.Clause]
    private var nextClause = 0
    /// The byte offset of the end of the most recently read word.
    private var position = 0
    /// The symbols before the first word of the next sentence.
    private var opening: [Unicode.Scalar] = []

    /// - Parameters:
    ///   - voice: espeak-ng's name for the language.
    ///   - english: The reader for English words; `nil` for other languages.
    package init(
        _ text: String, _ language: KokoroLanguage, voice: String, lexicon: PronunciationLexicon?,
        english: EnglishReader?
    ) throws(PhonemeError) {
        utf8 = Array(text.utf8)
        self.language = language
        self.voice = voice
        self.lexicon = lexicon
        self.english = language.isEnglish ? english.map { EnglishPositions(text, $0) } : nil
        clauses = try Espeak.clauses(of: text, voice: voice, tied: true)
    }

    /// The next sentence that contains a spoken word.
    package mutating func next() throws(PhonemeError) -> SpokenSentence? {
        while nextClause < clauses.count {
            let sentence = try read()
            if !sentence.isSilent { return sentence }
        }
        return nil
    }

    private mutating func read() throws(PhonemeError) -> SpokenSentence {
        var sentence = SpokenSentence()
        for symbol in opening { sentence.append(symbol) }
        opening = []
        var start: Int?
        while nextClause < clauses.count {
            let clause = clauses[nextClause]
            nextClause += 1
            let places = TextWords.places(in: utf8, clause.bytes)
            start = start ?? places.first?.lowerBound
            try append(clause, places, to: &sentence)
            let endsSentence = clause.endsSentence && !isAbbreviation(places.last)
            let gap = scalars(position..<followingWord)
            guard endsSentence || nextClause == clauses.count else {
                append(gap, endsSentence: false, to: &sentence)
                position = followingWord
                continue
            }
            // "… he said.” “And then": the text after the last space belongs to the next sentence.
            let cut = nextClause == clauses.count ? nil : gap.lastIndex { $0.properties.isWhitespace }
            append(
                Array(gap[..<(cut ?? gap.endIndex)]), endsSentence: true,
                closes: cut != nil || nextClause == clauses.count, to: &sentence)
            if let cut {
                opening = Punctuation.symbols(of: Array(gap[cut...]), endsSentence: true, isEnglish: language.isEnglish)
            }
            position = followingWord
            break
        }
        sentence.removeTrailingSpace()
        let first = start ?? position
        sentence.bytes = first..<max(first, clauses[nextClause - 1].bytes.upperBound)
        return sentence
    }

    /// The position of the next clause's first word; the end of the text if there is none.
    private var followingWord: Int {
        for clause in clauses[nextClause...] {
            if let place = TextWords.places(in: utf8, clause.bytes).first { return max(place.lowerBound, position) }
        }
        return utf8.count
    }

    private mutating func append(
        _ clause: Espeak.Clause, _ places: [Range<Int>], to sentence: inout SpokenSentence
    ) throws(PhonemeError) {
        let heard = Array(clause.phonemes.unicodeScalars)
        guard !places.isEmpty else {
            append(word: SymbolMapping.symbols(heard, language), from: nil, to: &sentence)
            return
        }
        let texts = places.map { String(decoding: utf8[$0], as: UTF8.self) }
        var alone = try Espeak.phonemes(ofWords: texts, voice: voice, tied: true).map { Array($0.unicodeScalars) }
        if language.isEnglish {
            // In isolation, "a" is read as the name of the letter, which is rarely correct within a clause.
            for index in texts.indices where texts[index] == "a" { alone[index] = ["ə"] }
        }
        let found = WordAlignment.symbols(of: alone, in: heard)
        var said: Int?
        for (index, place) in places.enumerated() {
            guard var range = found[index] else { continue }
            // In espeak-ng's transcription, one Hindi phoneme contains a period, which looks like the end of a
            // sentence.
            while range.upperBound < heard.count, heard[range.upperBound] == "." {
                range = range.lowerBound..<range.upperBound + 1
            }
            if said != nil {
                let gap = scalars(position..<place.lowerBound)
                let marks = Punctuation.symbols(of: gap, endsSentence: false, isEnglish: language.isEnglish)
                let isJoined = said == range.lowerBound && !language.isEnglish
                append(isJoined ? marks.filter { $0 != SpokenSentence.space } : marks, to: &sentence)
            } else if position < place.lowerBound {
                append(
                    scalars(position..<place.lowerBound), endsSentence: false, opens: position == 0, to: &sentence)
            }
            let symbols = word(texts[index], place, Array(heard[range]), isFollowed: index + 1 < places.count)
            append(word: symbols, from: place, to: &sentence)
            said = range.upperBound
            position = place.upperBound
        }
        if let last = places.last { position = max(position, last.upperBound) }
    }

    private mutating func word(
        _ text: String, _ place: Range<Int>, _ heard: [Unicode.Scalar], isFollowed: Bool
    ) -> [Unicode.Scalar] {
        if let symbols = english?.symbols(of: place), lexicon?.changes(text, english?.reader, language) != true {
            return symbols
        }
        var symbols = SymbolMapping.symbols(heard, language)
        guard language.isEnglish else { return symbols }
        // espeak-ng taps a t if the next word starts with a vowel, whereas in the training data, each word was
        // phonemized on its own.
        if symbols.last == "T" { symbols[symbols.count - 1] = "t" }
        // espeak-ng always adds a linking r, which British English pronounces only before a word that starts with a vowel.
        if language == .british, symbols.count > 1, symbols.last == "ɹ" { symbols.removeLast() }
        return lexicon?.symbols(of: text, spoken: symbols, language, isFollowed: isFollowed)
            ?? symbols
    }

    private mutating func append(
        _ gap: [Unicode.Scalar], endsSentence: Bool, opens: Bool = false, closes: Bool = false,
        to sentence: inout SpokenSentence
    ) {
        append(
            Punctuation.symbols(
                of: gap, endsSentence: endsSentence, opens: opens, closes: closes, isEnglish: language.isEnglish),
            to: &sentence)
    }

    private mutating func append(_ symbols: [Unicode.Scalar], to sentence: inout SpokenSentence) {
        for symbol in symbols { sentence.append(symbol) }
    }

    private mutating func append(word: [Unicode.Scalar], from bytes: Range<Int>?, to sentence: inout SpokenSentence) {
        let known = word.filter { SymbolTable.ids[$0] != nil }
        for symbol in word where SymbolTable.ids[symbol] == nil { unknown[symbol, default: 0] += 1 }
        sentence.append(word: known, from: bytes)
    }

    /// "Dr. Smith": espeak-ng ends a sentence after the title.
    private func isAbbreviation(_ place: Range<Int>?) -> Bool {
        guard language.isEnglish, let place, nextClause < clauses.count else { return false }
        let text = String(decoding: utf8[place], as: UTF8.self)
        return EnglishWords.titles.contains(text) && utf8[place.upperBound...].first == UInt8(ascii: ".")
    }

    private func scalars(_ range: Range<Int>) -> [Unicode.Scalar] {
        Array(String(decoding: utf8[range], as: UTF8.self).unicodeScalars)
    }
}
