/// A unit of text with one part of speech: a word, a part of a contraction ("do", "n't"), or a punctuation mark.
struct Token: Equatable {
    /// The token's text, with typographic apostrophes replaced by straight ones.
    var text: String
    /// The token's UTF-8 range in the text.
    var bytes: Range<Int>
    var isBeforeSpace = false

    /// Whether the token contains a letter or a digit.
    var isWord: Bool { text.unicodeScalars.contains { Tokens.isLetterOrDigit($0) } }
}

/// Splits text into tokens. `Scripts/tables/train-english` splits the tagger's training data by the same rules.
enum Tokens {
    /// Abbreviations, in lowercase, whose period does not end a sentence.
    private static let titles: Set<String> = [
        "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "mt.", "sr.", "jr.", "gen.", "col.", "capt.", "lt.", "sgt.",
        "rev.", "hon.",
        "vs.", "etc.", "inc.", "ltd.", "co.", "corp.", "sen.", "gov.", "rep.",
    ]
    /// The subset of titles that are usually not capitalized.
    private static let smallTitles: Set<String> = ["vs.", "etc."]
    private static let contracted = ["n't", "'s", "'re", "'ve", "'ll", "'d", "'m"]

    static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": true
            default: false
            }
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber,
            .otherNumber, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }

    static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool { scalar == "'" || scalar == "’" }

    static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        var chunk: [Part] = []
        var position = 0
        func finish() {
            guard !chunk.isEmpty else { return }
            cut(chunk[...], into: &tokens)
            tokens[tokens.count - 1].isBeforeSpace = true
            chunk = []
        }
        for scalar in text.unicodeScalars {
            let end = position + UTF8.width(scalar)
            if scalar.properties.isWhitespace { finish() } else { chunk.append((scalar, position..<end)) }
            position = end
        }
        finish()
        return joinedInitials(tokens)
    }

    /// "T. H. White": the period belongs to the initial if another capitalized word follows.
    private static func joinedInitials(_ tokens: [Token]) -> [Token] {
        var joined: [Token] = []
        for (index, token) in tokens.enumerated() {
            if token.text == ".", let letter = joined.last, !letter.isBeforeSpace, letter.text.utf8.count == 1,
                letter.text != "I",
                letter.text.first?.isUppercase == true, index + 1 < tokens.count,
                tokens[index + 1].text.first?.isUppercase == true
            {
                joined[joined.count - 1].text += "."
                joined[joined.count - 1].bytes = letter.bytes.lowerBound..<token.bytes.upperBound
                joined[joined.count - 1].isBeforeSpace = token.isBeforeSpace
            } else {
                joined.append(token)
            }
        }
        return joined
    }

    private typealias Part = (scalar: Unicode.Scalar, bytes: Range<Int>)

    private static func text(_ parts: ArraySlice<Part>) -> String {
        var text = String.UnicodeScalarView()
        for part in parts { text.append(part.scalar == "’" ? "'" : part.scalar) }
        return String(text)
    }

    /// Splits text without spaces into tokens.
    private static func cut(_ chunk: ArraySlice<Part>, into tokens: inout [Token]) {
        var rest = chunk
        func take(_ count: Int) {
            let parts = rest.prefix(count)
            guard let first = parts.first, let last = parts.last else { return }
            tokens.append(Token(text: text(parts), bytes: first.bytes.lowerBound..<last.bytes.upperBound))
            rest = rest.dropFirst(count)
        }
        while let first = rest.first {
            guard isLetterOrDigit(first.scalar) else {
                let isRun = first.scalar == "." || first.scalar == "-"
                take(isRun ? rest.prefix { $0.scalar == first.scalar }.count : 1)
                continue
            }
            if let count = abbreviation(rest) {
                take(count)
                continue
            }
            var count = 0
            var marks = 0
            for part in rest {
                if isLetterOrDigit(part.scalar) {
                    count += marks + 1
                    marks = 0
                } else if isApostrophe(part.scalar), marks == 0 {
                    marks = 1
                } else {
                    break
                }
            }
            if marks == 1 {
                // This apostrophe closes a quotation or marks a plural possessive.
                take(count)
                take(1)
            } else {
                let ending = ending(of: rest.prefix(count))
                take(count - ending)
                take(ending)
            }
        }
    }

    /// Returns the length of an abbreviation, including its periods: "e.g.", "U.S.", "Dr.".
    private static func abbreviation(_ rest: ArraySlice<Part>) -> Int? {
        let scalars = rest.prefix(24).map(\.scalar)
        func isLetter(_ index: Int) -> Bool { index < scalars.count && isLetterOrDigit(scalars[index]) }
        var count = 0
        while count + 1 < scalars.count, scalars[count].isASCII, scalars[count].properties.isAlphabetic,
            scalars[count + 1] == "."
        {
            count += 2
        }
        if count >= 4, !isLetter(count) { return count }
        guard let stop = scalars.firstIndex(of: "."), stop < 5, !isLetter(stop + 1) else { return nil }
        let word = String(String.UnicodeScalarView(scalars[...stop]))
        let isTitle =
            titles.contains(word.lowercased()) && (scalars[0].properties.isUppercase || smallTitles.contains(word))
        return isTitle ? stop + 1 : nil
    }

    /// Returns the length of the second part of a contraction at the end of a word, such as 3 for "don't".
    private static func ending(of word: ArraySlice<Part>) -> Int {
        let lower = text(word).lowercased()
        for ending in contracted where lower.hasSuffix(ending) && word.count > ending.count { return ending.count }
        return 0
    }
}

/// Splits English text into sentences.
package enum EnglishSentences {
    private static let ends: Set<String> = [".", "!", "?", "…"]

    /// Returns the UTF-8 ranges of the sentences, which are in order and cover the entire text. The period of an
    /// abbreviation ("Dr.", "U.S.") ends a sentence only at the end of the text.
    package static func ranges(of text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        var isEnding = false
        var wasBeforeSpace = false
        for token in Tokens.tokens(of: text) {
            if isEnding, wasBeforeSpace {
                ranges.append(start..<token.bytes.lowerBound)
                start = token.bytes.lowerBound
                isEnding = false
            }
            if ends.contains(token.text) || token.text.count > 1 && token.text.allSatisfy({ $0 == "." }) {
                isEnding = true
            } else if token.isWord {
                isEnding = false
            }
            wasBeforeSpace = token.isBeforeSpace
        }
        if start < text.utf8.count { ranges.append(start..<text.utf8.count) }
        return ranges
    }
}
