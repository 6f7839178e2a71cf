/// An utterance's text as passed to an engine, with phonemes in double brackets if the engine supports them.
package struct SpokenForm: Sendable, Equatable {
    /// The text. Empty if the utterance contains no speech.
    package let text: String
    /// Whether `[[ … ]]` in the text contains IPA.
    package let hasPhonemes: Bool
    /// Whether a known pronunciation was left out because the engine does not accept it.
    package let lacksPhonemes: Bool
    /// Maps byte ranges of this text to the utterance's text.
    package let places: SourceMap

    /// - Parameter takesPhonemes: whether the engine accepts IPA.
    package init(_ utterance: Utterance, takesPhonemes: Bool) {
        guard !utterance.pronunciations.isEmpty else {
            text = utterance.text
            hasPhonemes = false
            lacksPhonemes = false
            places = SourceMap(offset: 0)
            return
        }
        let bytes = Array(utterance.text.utf8)
        let whole = SourceMap(offset: 0)
        var form = MappedText()
        var done = 0
        for pronunciation in utterance.pronunciations {
            Self.copy(done..<pronunciation.range.lowerBound, of: bytes, into: &form, escaping: takesPhonemes)
            if takesPhonemes {
                form.append("[[\(pronunciation.value.ipa)]]", for: pronunciation.range)
            } else if pronunciation.value.hasWords {
                form.append(pronunciation.range, of: bytes.span, from: whole)
            }
            done = pronunciation.range.upperBound
        }
        Self.copy(done..<bytes.count, of: bytes, into: &form, escaping: takesPhonemes)
        let isBlank = bytes.isEmpty || form.isEmpty || form.text.utf8.allSatisfy { $0 == 0x20 }
        // Remove the spaces before phonemes that were omitted at the end.
        let end = form.text.utf8.reversed().prefix { $0 == 0x20 }.count
        text = isBlank ? "" : String(decoding: form.text.utf8.dropLast(end), as: UTF8.self)
        hasPhonemes = takesPhonemes
        lacksPhonemes = !takesPhonemes
        places = form.source
    }

    /// - Parameter escaping: whether to escape brackets in the text so that they are not parsed as phonemes.
    private static func copy(_ range: Range<Int>, of bytes: [UInt8], into form: inout MappedText, escaping: Bool) {
        let bracket = UInt8(ascii: "[")
        var start = range.lowerBound
        if escaping {
            for index in range where index > range.lowerBound && bytes[index] == bracket && bytes[index - 1] == bracket
            {
                form.append(start..<index, of: bytes.span, from: SourceMap(offset: 0))
                form.append(" ", for: index..<index)
                start = index
            }
        }
        form.append(start..<range.upperBound, of: bytes.span, from: SourceMap(offset: 0))
    }
}
