/// The blocks `[[ … ]]` of a text, and the text between them.
package enum InlinePhonemes {
    package struct Part: Equatable {
        package var text: String
        package var isPhonemes: Bool
        /// In the UTF-8 of the whole text.
        package var bytes: Range<Int>
        /// Of a block: its phonemes and the punctuation right after it, with the spaces of the text around it.
        package var symbols: [Unicode.Scalar] = []

        /// Whether the punctuation after a block ends the sentence.
        package var endsSentence: Bool {
            isPhonemes && symbols.last { $0 != " " }.map { InlinePhonemes.sentenceEnds.contains($0) } == true
        }

        package init(text: String, isPhonemes: Bool, bytes: Range<Int>) {
            self.text = text
            self.isPhonemes = isPhonemes
            self.bytes = bytes
        }
    }

    private static let sentenceEnds: Set<Unicode.Scalar> = [".", "!", "?", "…"]
    private static let marks = sentenceEnds.union([",", ";", ":"])

    package static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
        func append(_ piece: Substring, isPhonemes: Bool) {
            guard !piece.isEmpty else { return }
            parts.append(
                Part(
                    text: String(piece), isPhonemes: isPhonemes,
                    bytes: offset(piece.startIndex)..<offset(piece.endIndex)))
        }
        while let open = rest.firstRange(of: "[["), let close = rest[open.upperBound...].firstRange(of: "]]") {
            append(rest[..<open.lowerBound], isPhonemes: false)
            append(rest[open.lowerBound..<close.upperBound], isPhonemes: true)
            // espeak-ng would leave out a mark without a word before it, or speak its name.
            let after = rest[close.upperBound...].unicodeScalars.prefix { marks.contains($0) }
            parts[parts.count - 1].symbols = Array(after)
            rest = rest[after.endIndex...]
        }
        append(rest, isPhonemes: false)
        for index in parts.indices where parts[index].isPhonemes {
            // Not decomposed: whoever writes phonemes writes the symbols of the voice's map.
            var symbols = Array(parts[index].text.unicodeScalars.dropFirst(2).dropLast(2))
            while symbols.last?.properties.isWhitespace == true { symbols.removeLast() }
            symbols = symbols.drop { $0.properties.isWhitespace } + parts[index].symbols
            let isSpaced = index > 0 && parts[index - 1].text.hasSuffix(" ")
            // The first of two blocks brings the space between them, unless it ends the sentence.
            let isBehindBlock = index > 1 && parts[index - 1].text == " "
            if isSpaced, !isBehindBlock { symbols.insert(" ", at: 0) }
            parts[index].symbols = symbols
            if !parts[index].endsSentence, index + 1 < parts.count, parts[index + 1].text.hasPrefix(" ") {
                symbols.append(" ")
            }
            parts[index].symbols = symbols
        }
        return parts
    }
}

/// Text whose characters are the symbols themselves.
package enum VerbatimPhonemes {
    /// One sentence from IPA, words separated by a space.
    package static func sentence(ofPhonemes text: String) -> PhonemeSentence {
        sentence(text) { Array($0.unicodeScalars) }
    }

    /// One sentence from a text, for a voice that was trained on decomposed letters.
    package static func sentence(ofLetters text: String) -> PhonemeSentence {
        sentence(text) { String($0).decomposed }
    }

    /// The words of such a sentence, each with its symbols. Clauses that contain none of `symbols` are left out.
    package static func words(of sentence: PhonemeSentence, around symbols: Range<Int>) -> [PhonemeWord] {
        sentence.clauses.filter { $0.symbols.overlaps(symbols) }.flatMap { words(sentence.scalars, $0) }
    }

    /// Makes a clause of each word and of each space between two, so that every symbol keeps its place.
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

    /// The words of one clause. If it has several, they share its place in the text.
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

/// Signs that crash libespeak-ng 1.51.
///
/// * In every voice: a hyphen between a sign that is not spoken and a letter of an alphabet that the voice does not
///   read ("❥-नम").
/// * In the Hindi voice: a sign that has a spoken name beside one that has none ("($5)", "**नम**").
package enum UnsafeSigns {
    private static let hindiWords: Set<Unicode.Scalar> = ["$", "%", "*", "+", "=", "^"]

    /// The text with a space in place of each such sign; all other bytes stay in their places.
    ///
    /// - Parameter voice: The library's name for the voice: `hi`, `inc/hi`, `inc/hi+f3`.
    package static func removed(from utf8: [UInt8], voice: String) -> [UInt8] {
        let isHindi = voice.prefix { $0 != "+" }.split(separator: "/").last == "hi"
        guard isHindi || !utf8.allSatisfy({ $0 < 0x80 }) else { return utf8 }
        var result = utf8
        var before: Unicode.Scalar = " "
        // A sign that may have to be removed, and whether only before a letter that is not ASCII.
        var pending: (place: Int, isHyphen: Bool)?
        func decide(_ next: Unicode.Scalar) {
            guard let sign = pending else { return }
            let isUnsafe =
                sign.isHyphen ? !next.isASCII && next.properties.isAlphabetic : !isSpoken(next) && !isSpace(next)
            if isUnsafe { result[sign.place] = UInt8(ascii: " ") }
            pending = nil
        }
        TextWords.forEachScalar(in: utf8, utf8.indices) { scalar, place in
            decide(scalar)
            let isBehindSign = !isSpoken(before) && !isSpace(before)
            if scalar == "-", isBehindSign {
                pending = (place.lowerBound, true)
            } else if isHindi, hindiWords.contains(scalar) {
                if isBehindSign { result[place.lowerBound] = UInt8(ascii: " ") }
                if isSpace(before) { pending = (place.lowerBound, false) }
            }
            before = scalar
        }
        return result
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}
