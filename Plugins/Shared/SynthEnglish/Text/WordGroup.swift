@_spi(_Unicode) import Swift

/// A word, hyphenated compound or contraction between spaces or punctuation marks, or a single punctuation mark.
struct WordGroup {
    /// The smallest part of a group that may be listed as a word.
    struct Piece {
        var text: String
        var tag: String
        /// The index of the piece's token.
        var token: Int
        var bytes: Range<Int>

        /// Whether the piece is a hyphen or another symbol that joins two words.
        var isSilent: Bool { text.unicodeScalars.allSatisfy { WordGroup.joints.contains($0) } }
    }

    var tokens: Range<Int>
    var isMark: Bool
    var isBeforeSpace: Bool
    var pieces: [Piece] = []
    /// Whether the pieces are separate words: "and/or", "R&D".
    var isSpelledApart = false

    static let joints: Set<Unicode.Scalar> = ["'", ",", "-", ".", "_", "‘", "’", "/"]
    private static let signs: Set<String> = ["%", "&", "+", "@"]

    func bytes(_ all: [Token]) -> Range<Int> {
        all[tokens.lowerBound].bytes.lowerBound..<all[tokens.upperBound - 1].bytes.upperBound
    }

    /// - Parameters:
    ///   - text: The text from which the tokens were taken.
    ///   - isKnown: Whether a word with this spelling is listed.
    static func groups(of tokens: [Token], in text: String, _ tags: [String], isKnown: (String) -> Bool) -> [WordGroup]
    {
        let utf8 = Array(text.utf8)
        var groups: [WordGroup] = []
        var isOpen = false
        for (index, token) in tokens.enumerated() {
            let isJoined = index > 0 && !tokens[index - 1].isBeforeSpace
            let isMark = !belongsToWord(index, tokens, tags, isKnown)
            if !isMark, isOpen, isJoined, var group = groups.popLast() {
                group.tokens = group.tokens.lowerBound..<index + 1
                group.isBeforeSpace = token.isBeforeSpace
                groups.append(group)
            } else {
                groups.append(WordGroup(tokens: index..<index + 1, isMark: isMark, isBeforeSpace: token.isBeforeSpace))
            }
            isOpen = !isMark
        }
        for index in groups.indices where !groups[index].isMark { groups[index].cut(tokens, utf8, tags) }
        return groups
    }

    /// Whether a token is a word or joins two words.
    private static func belongsToWord(_ index: Int, _ tokens: [Token], _ tags: [String], _ isKnown: (String) -> Bool)
        -> Bool
    {
        let token = tokens[index]
        if token.isWord || signs.contains(token.text) { return true }
        let isAfterWord = index > 0 && !tokens[index - 1].isBeforeSpace && tokens[index - 1].isWord
        let next = token.isBeforeSpace || index + 1 == tokens.count ? nil : tokens[index + 1]
        switch token.text {
        case "-", "_", "/": return isAfterWord && next?.isWord == true
        case "'":
            // "the dogs' bowls", "'em"
            if isAfterWord { return tags[index] == "POS" }
            return next.map { $0.isWord && isKnown("'" + $0.text.lowercased()) } ?? false
        default: return false
        }
    }

    /// Splits the tokens at inner capitals ("JavaScript") and around digits. Each digit becomes a separate word.
    private mutating func cut(_ all: [Token], _ utf8: [UInt8], _ tags: [String]) {
        var kinds: Set<Int> = []
        for index in tokens {
            let token = all[index]
            var start = token.text.startIndex
            var position = token.bytes.lowerBound
            var ends = Self.cuts(token.text) + [token.text.endIndex]
            // The period of "Prof." is silent, unless a list contains the word with the period.
            if token.text.hasSuffix("."), token.text.dropLast().firstIndex(of: ".") == nil {
                ends.insert(token.text.index(before: token.text.endIndex), at: ends.count - 1)
            }
            for end in ends {
                let text = String(token.text[start..<end])
                let last = end == token.text.endIndex ? token.bytes.upperBound : Self.end(of: text, at: position, utf8)
                pieces.append(Piece(text: text, tag: tags[index], token: index, bytes: position..<last))
                (start, position) = (end, last)
            }
            for scalar in token.text.unicodeScalars where !Self.joints.contains(scalar) {
                kinds.insert(scalar.properties.isAlphabetic ? 0 : scalar.properties.numericType != nil ? 1 : 2)
            }
            if token.text == "/" || token.text.contains(where: Self.isDigit) { isSpelledApart = true }
        }
        if kinds.count > 1 { isSpelledApart = true }
    }

    /// Returns the position in the text where a piece of a token ends. A token has as many scalars as the original text
    /// but may have fewer bytes, because the text may contain a typographic apostrophe.
    private static func end(of piece: String, at start: Int, _ utf8: [UInt8]) -> Int {
        var end = start
        for _ in piece.unicodeScalars {
            end += 1
            while end < utf8.count, UTF8.isContinuation(utf8[end]) { end += 1 }
        }
        return end
    }

    static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// Returns the positions at which to split a word: before a capital that follows a lowercase letter, before the
    /// last of several capitals if a lowercase letter follows, and on both sides of a digit.
    private static func cuts(_ word: String) -> [String.Index] {
        guard word.dropFirst().contains(where: \.isUppercase) || word.contains(where: isDigit) else { return [] }
        var cuts: [String.Index] = []
        var index = word.startIndex
        while index < word.endIndex {
            let next = word.index(after: index)
            guard next < word.endIndex else { break }
            let after = word.index(after: next)
            let isBeforeWord = word[next].isUppercase && after < word.endIndex && word[after].isLowercase
            if word[index].isLowercase && word[next].isUppercase || word[index].isUppercase && isBeforeWord
                || isDigit(word[index]) || isDigit(word[next])
            {
                cuts.append(next)
            }
            index = next
        }
        return cuts
    }

    /// Joins several pieces into a word and assigns it the tag of the longest piece, where capital letters count twice.
    static func merged(_ pieces: ArraySlice<Piece>) -> (text: String, tag: String, token: Int) {
        var best: (weight: Int, piece: Piece)?
        for piece in pieces {
            let weight = piece.text.reduce(0) { $0 + ($1.isUppercase ? 2 : 1) }
            if weight > best?.weight ?? 0 { best = (weight, piece) }
        }
        return (pieces.map(\.text).joined(), best?.piece.tag ?? "", best?.piece.token ?? 0)
    }
}

/// Converts punctuation marks to symbols.
enum Marks {
    static let pauses: Set<Unicode.Scalar> = [";", ":", ",", ".", "!", "?", "—", "…"]
    private static let kept = pauses.union(["“", "”", "(", ")"])
    private static let others: [Unicode.Scalar: Unicode.Scalar] = [
        "«": "“", "»": "”", "„": "“", "[": "(", "]": ")", "{": "(", "}": ")", "–": "—", "。": ".", "！": "!", "？": "?",
        "，": ",",
        "、": ",", "；": ";", "：": ":",
    ]

    /// - Parameter tag: The Penn tag, which distinguishes opening and closing straight quotation marks.
    static func symbols(of mark: String, tag: String) -> [Unicode.Scalar] {
        switch mark {
        case "-": return tag == ":" || tag == "," || tag == "." ? ["—"] : []
        case "\"", "'", "‘", "’", "`":
            if tag == "``" { return ["“"] }
            if tag == "''" { return ["”"] }
            return mark == "\"" ? ["”"] : []
        default:
            // Two or more hyphens represent a dash.
            if mark.count > 1, mark.allSatisfy({ $0 == "-" }) { return ["—"] }
            return mark.unicodeScalars.compactMap { kept.contains($0) ? $0 : others[$0] }
        }
    }
}

/// Removes accents from letters, as is common in English spelling.
///
/// The implementation uses the standard library's own Unicode tables, because loading Foundation for the same tables
/// would take longer than all other work of the reader.
enum Folding {
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "th", "þ": "th", "ı": "i", "ŋ": "ng",
        "ﬁ": "fi", "ﬂ": "fl",
    ]

    /// Returns the word reduced to the letters a to z in their original case; `nil` if it contains any other letter or
    /// a digit.
    static func folded(_ word: String) -> String? {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.utf8.contains { (0x30..<0x3A).contains($0) } ? nil : word }
        var result = String.UnicodeScalarView()
        for scalar in String(word)._nfd {
            if scalar.isASCII {
                guard !("0"..."9").contains(scalar) else { return nil }
                result.append(scalar)
            } else if let letters = letters[scalar] {
                result.append(contentsOf: letters.unicodeScalars)
            } else if let letters = letters[scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar] {
                result.append(contentsOf: letters.uppercased().unicodeScalars)
            } else if scalar.properties.generalCategory != .nonspacingMark {
                return nil
            }
        }
        return String(result)
    }
}
