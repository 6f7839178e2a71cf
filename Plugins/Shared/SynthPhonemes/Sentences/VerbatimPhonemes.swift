package import SynthSymbols

/// Converts text whose characters are already a voice's symbols.
package enum VerbatimPhonemes {
    /// Creates a sentence from space-separated IPA words.
    package static func sentence(ofPhonemes text: String) -> PhonemeSentence {
        sentence(text) { Array($0.unicodeScalars) }
    }

    /// Creates a sentence for a voice that was trained on decomposed letters instead of phonemes.
    package static func sentence(ofLetters text: String) -> PhonemeSentence {
        sentence(text) { String($0).decomposed }
    }

    /// Returns the words of a verbatim sentence, each with its symbols. Clauses that contain none of `symbols` are
    /// omitted.
    package static func words(of sentence: PhonemeSentence, around symbols: Range<Int>) -> [PhonemeWord] {
        sentence.clauses.filter { $0.symbols.overlaps(symbols) }.flatMap { words(sentence.scalars, $0) }
    }

    /// Turns each word, and each space between words, into a clause so that every symbol has a text position.
    private static func sentence(_ text: String, _ symbols: (Character) -> [Unicode.Scalar]) -> PhonemeSentence {
        var sentence = PhonemeSentence()
        var pending: [Unicode.Scalar] = []
        var start = 0
        var position = 0
        func finish() {
            if !pending.isEmpty { sentence.append(pending, from: start..<position, isVerbatim: true) }
            pending = []
            start = position
        }
        for character in text {
            let width = String(character).utf8.count
            if character.isWhitespace {
                finish()
                position += width
                sentence.append([" "], from: start..<position, isVerbatim: true)
                start = position
            } else {
                pending += symbols(character)
                position += width
            }
        }
        finish()
        return sentence
    }

    /// Returns the words of a clause, all of which have the clause's text position.
    static func words(_ scalars: [Unicode.Scalar], _ clause: PhonemeSentence.Clause) -> [PhonemeWord] {
        var words: [PhonemeWord] = []
        var word: Range<Int>?
        for index in clause.symbols {
            if scalars[index] == " " {
                if let word { words.append(PhonemeWord(symbols: word, bytes: clause.bytes)) }
                word = nil
            } else {
                word = (word?.lowerBound ?? index)..<index + 1
            }
        }
        if let word { words.append(PhonemeWord(symbols: word, bytes: clause.bytes)) }
        return words
    }
}
