/// A text that is IPA, words separated by a space.
enum WrittenPhonemes {
    static func sentence(_ text: String) -> SpokenSentence {
        var sentence = SpokenSentence(bytes: 0..<text.utf8.count)
        var word = ""
        var start = 0
        var position = 0
        func finish() {
            let symbols = SymbolMapping.symbols(written: Array(word.unicodeScalars))
            sentence.append(word: symbols.filter { Vocabulary.ids[$0] != nil }, from: start..<position)
            word = ""
        }
        for character in text {
            if character.isWhitespace {
                finish()
                sentence.append(SpokenSentence.space)
            } else {
                if word.isEmpty { start = position }
                word.append(character)
            }
            position += character.utf8.count
        }
        finish()
        sentence.removeTrailingSpace()
        return sentence
    }
}
