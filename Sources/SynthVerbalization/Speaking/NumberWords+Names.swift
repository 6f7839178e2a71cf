/// Verbalizes names that are not ordinary words: room numbers, models, variables.
extension NumberWords {
    /// Returns the digits in pairs: "twelve oh four", "three eighty". Languages that read numbers this way define the
    /// form `pair`, which specifies ICU's rule set for four-digit numbers.
    func pairs(_ digits: [UInt8]) -> String? {
        if digits.count == 4, digits[0] == 0x30, let words = earlyPairs(digits) { return words }
        guard digits.count <= 4, digits.count == 1 || digits.first != 0x30, let digitForm,
            let value = DigitValue.of(digits, digits.indices)
        else { return self.digits(digits) }
        guard let pair = language.formNumbers["pair"], digits.count > 2, value % 1000 != 0,
            digits.count == 4 || value % 100 != 0
        else { return words(value, digitForm) }
        if digits.count == 4 { return words(value, pair) }
        let rest = Array(digits.dropFirst())
        let spoken = language.minute(rest).flatMap { entries[$0].forms.first } ?? words(value % 100, digitForm)
        guard let first = self.digits([digits[0]]), let spoken else { return nil }
        return "\(first) \(spoken)"
    }

    /// Returns "oh five thirty" for 0530.
    private func earlyPairs(_ digits: [UInt8]) -> String? {
        guard let digitForm, language.formNumbers["pair"] != nil, digits[2] > 0x30,
            let first = language.minute(Array(digits[..<2])).flatMap({ entries[$0].forms.first }),
            let value = DigitValue.of(digits, 2..<4), let second = words(value, digitForm)
        else { return nil }
        return "\(first) \(second)"
    }

    /// Spells short words, leaves other words unchanged, and reads numbers in pairs: "B two B", "COVID nineteen".
    func code(_ tokens: [Token], _ bytes: [UInt8]) -> String? {
        var result = ""
        // The separator before the next part. Next to the letter A, which would otherwise be read as the article, it is
        // a hyphen.
        var gap = ""
        for (index, token) in tokens.enumerated() {
            let isAfterDigits = index > 0 && tokens[index - 1].kind == .digits
            switch token.kind {
            case .space, .mark, .ideograph: continue
            case .digits:
                guard let words = pairs(Array(bytes[token.range])) else { return nil }
                result += gap + words
                gap = " "
            case .word:
                let isEnding = index == 1 && isAfterDigits && token.shape == .lower && !token.isLetter
                guard !isEnding, isSpelled(token, bytes) else {
                    result += (isEnding ? "" : gap) + text(token, bytes)
                    gap = " "
                    continue
                }
                guard let letters = letters(bytes[token.range]) else { return nil }
                let isArticle = letters == "A"
                result += (isArticle && !gap.isEmpty ? "-" : gap) + letters
                gap = isArticle ? "-" : " "
            }
        }
        return result
    }

    /// Returns each letter and digit separately, with a pause after each group: "seven F nine C, two B".
    func serial(_ text: ArraySlice<UInt8>) -> String? {
        var groups: [String?] = []
        for piece in text.split(whereSeparator: { $0 == 0x3A || $0 == 0x2D || $0 == 0x20 }) {
            var rest = piece
            while !rest.isEmpty {
                // Avoid a final group with only one character.
                let group = rest.prefix(rest.count == 5 ? 5 : 4)
                rest = rest.dropFirst(group.count)
                groups.append(joined(group.map(spelled)))
            }
        }
        return joined(groups, separator: ", ")
    }

    private func spelled(_ byte: UInt8) -> String? {
        (0x30...0x39).contains(byte) ? digits([byte]) : letters([(0x61...0x7A).contains(byte) ? byte - 0x20 : byte])
    }

    private func isSpelled(_ token: Token, _ bytes: [UInt8]) -> Bool {
        let letters = String(decoding: bytes[token.range], as: UTF8.self).unicodeScalars.count
        let hasVowel = !token.isASCII || bytes[token.range].contains { Vowels.contain($0) }
        switch token.shape {
        case .upper: return letters <= 3 || !hasVowel
        case .lower, .capital: return letters == 1 || !hasVowel
        // Spell words such as "CaCO", but not "iPhone" or "MiG".
        case .mixed: return !hasVowel || token.isASCII && letters > 3 && !hasSmallPair(bytes[token.range])
        }
    }

    private func hasSmallPair(_ letters: ArraySlice<UInt8>) -> Bool {
        zip(letters, letters.dropFirst()).contains { $0 >= 0x60 && $1 >= 0x60 }
    }

    /// Returns an identifier in words: "max underscore count", "user name", "size equals ten", "dash dash dry run".
    func identifier(_ tokens: [Token], _ bytes: [UInt8]) -> String? {
        var parts: [String?] = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .space, .ideograph: continue
            case .mark:
                let isHyphen = token.exact == 0x2D && index > 0 && tokens[index - 1].isAlphanumeric
                if !isHyphen, let word = symbol(token) { parts.append(word) }
            case .digits: parts.append(pairs(Array(bytes[token.range])))
            case .word:
                for hump in humps(text(token, bytes)) {
                    guard isLetters(hump, alone: hump.utf8.count == token.length) else {
                        // Engines spell short all-caps words, but in a name, "KEY" is a word.
                        parts.append(hump.count > 1 && hump.allSatisfy { $0.isUppercase } ? hump.lowercased() : hump)
                        continue
                    }
                    parts.append(letters(Array(hump.utf8)[...]))
                }
            }
        }
        return joined(parts)
    }

    /// Whether part of a name, such as "SQL", "Id" or "v", is spelled letter by letter.
    private func isLetters(_ hump: String, alone: Bool) -> Bool {
        let isUpper = !alone && hump.allSatisfy { $0.isUppercase }
        return hump.utf8.count == 1 || hump.lowercased() == "id" || isUpper && (2...3).contains(hump.utf8.count)
            || hump.utf8.allSatisfy { $0 < 0x80 && !Vowels.contain($0) } && hump.utf8.count <= 5
    }

    /// Splits a word at its capitals: "HTTP Server", "user Name".
    func humps(_ word: String) -> [String] {
        var parts: [String] = []
        var part = ""
        for character in word {
            let wasSmall = part.last?.isLowercase == true
            if character.isUppercase, wasSmall {
                parts.append(part)
                part = ""
            } else if character.isLowercase, part.count > 2, part.allSatisfy({ $0.isUppercase }),
                let last = part.popLast()
            {
                parts.append(part)
                part = String(last)
            }
            part.append(character)
        }
        parts.append(part)
        return parts
    }

    func text(_ token: Token, _ bytes: [UInt8]) -> String {
        String(decoding: bytes[token.range], as: UTF8.self)
    }
}
