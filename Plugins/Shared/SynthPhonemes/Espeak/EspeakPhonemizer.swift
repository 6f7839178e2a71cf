package import SynthSymbols

/// Converts text to phonemes by espeak-ng's rules. The order of phonemes and the punctuation match the training data of Piper
/// voices.
package struct EspeakPhonemizer: Sendable {
    /// espeak-ng's name for the language, such as "en-us".
    package let voice: String

    package init(voice: String) {
        self.voice = voice
    }

    /// Splits text into sentences, as espeak-ng does. An abbreviation such as "Dr." also ends a sentence.
    ///
    /// - Parameter readingInlinePhonemes: Whether phonemes in double brackets, such as `[[ bˈætmæn ]]`, become part of
    ///   the surrounding sentence. Do not set this for arbitrary text, which may contain such brackets by chance.
    package func sentences(
        of text: String, readingInlinePhonemes: Bool = false
    ) throws(PhonemeError) -> [PhonemeSentence] {
        guard readingInlinePhonemes, text.contains("[[") else { return try plain(text, shift: 0) }
        var sentences: [PhonemeSentence] = []
        var joins = false
        for part in InlinePhonemes.parts(of: text) {
            guard part.isPhonemes else {
                var rest = try plain(part.text, shift: part.bytes.lowerBound)
                if joins, let last = sentences.indices.last, !rest.isEmpty {
                    sentences[last].append(rest.removeFirst())
                }
                sentences += rest
                joins = false
                continue
            }
            if sentences.isEmpty { sentences.append(PhonemeSentence()) }
            sentences[sentences.count - 1].append(part.symbols, from: part.bytes, isVerbatim: true)
            joins = !part.endsSentence
            if part.endsSentence { sentences.append(PhonemeSentence()) }
        }
        return sentences.filter { !$0.scalars.isEmpty }
    }

    /// Returns the words of a sentence from `sentences(of:)`, in order, each with its symbols.
    ///
    /// espeak-ng returns phonemes only for a complete clause. It also joins words ("of the") and splits a word into
    /// several ("25"). Therefore, each word is also phonemized in isolation, and the phonemes of the clause are aligned
    /// with those of the words.
    ///
    /// - Parameter symbols: Clauses that contain none of these symbols are omitted.
    package func words(
        of sentence: PhonemeSentence, around symbols: Range<Int>, in text: String
    ) throws(PhonemeError) -> [PhonemeWord] {
        let utf8 = Array(text.utf8)
        var words: [PhonemeWord] = []
        for clause in sentence.clauses where clause.symbols.overlaps(symbols) {
            if clause.isVerbatim {
                words += VerbatimPhonemes.words(sentence.scalars, clause)
                continue
            }
            let places = TextWords.places(in: utf8, clause.bytes)
            let alone = try Espeak.phonemes(
                ofWords: places.map { String(decoding: utf8[$0], as: UTF8.self) }, voice: voice)
            let symbols = Array(sentence.scalars[clause.symbols])
            let found = WordAlignment.symbols(of: alone.map(\.decomposed), in: symbols)
            for (place, range) in zip(places, found) {
                guard let range else { continue }
                let shift = clause.symbols.lowerBound
                words.append(PhonemeWord(symbols: range.lowerBound + shift..<range.upperBound + shift, bytes: place))
            }
        }
        return words
    }

    private func plain(_ text: String, shift: Int) throws(PhonemeError) -> [PhonemeSentence] {
        var sentences: [PhonemeSentence] = []
        var sentence = PhonemeSentence()
        for clause in try Espeak.clauses(of: text, voice: voice) {
            var symbols = clause.phonemes.decomposed
            if let terminator = clause.terminator {
                symbols.append(terminator)
                if !clause.endsSentence { symbols.append(" ") }
            }
            if !symbols.isEmpty {
                sentence.append(symbols, from: clause.bytes.lowerBound + shift..<clause.bytes.upperBound + shift)
            }
            if clause.endsSentence, !sentence.scalars.isEmpty {
                sentences.append(sentence)
                sentence = PhonemeSentence()
            }
        }
        if !sentence.scalars.isEmpty { sentences.append(sentence) }
        return sentences
    }
}
