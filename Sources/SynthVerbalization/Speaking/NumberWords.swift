/// Verbalizes numbers, digits, letters and addresses in a language. ICU is opened on first use.
final class NumberWords {
    let entries: ListEntries
    let language: Language
    private lazy var speller: NumberSpeller? = NumberSpeller(locale: language.settings.locale ?? "")
    let digitForm: Int?
    private var digitWords = [String?](repeating: nil, count: 10)
    private var known = NumberMemory()

    init(_ language: Language) {
        self.language = language
        entries = ListEntries(language.entries)
        digitForm = language.formNumbers["digit"] ?? language.formNumbers["cardinal"]
    }

    /// Whether the installed ICU supports the language's numbers.
    var isComplete: Bool { speller != nil }

    private var space: String { language.settings.isUnspaced == true ? "" : " " }

    func words(_ value: Int64, _ form: Int) -> String? {
        if let words = known[value, form] { return words }
        let words =
            switch language.numberSources[form] {
            case .ruleSet(let name): spelled(value, name)
            case .list(let list, let form): listed(value, list, form)
            }
        known[value, form] = words
        return words
    }

    private func spelled(_ value: Int64, _ ruleSet: String) -> String? {
        guard var words = speller?.words(value, ruleSet: ruleSet) else { return nil }
        for (wrong, right) in language.repairs {
            if wrong.hasPrefix("*") {
                words = words.replacing(wrong.dropFirst(), with: right.dropFirst())
            } else if words.hasPrefix(wrong) {
                words = right + words.dropFirst(wrong.count)
            }
        }
        return words
    }

    /// Returns the longest final component of a number that is in the list, preceded by the cardinal form of the rest
    /// of the number: "tysiąc dziewięćset", "piątego".
    private func listed(_ value: Int64, _ list: Int, _ form: Int) -> String? {
        for end in [value, value % 1000, value % 100] {
            guard end > 0, let entry = language.entry(of: list, Array(String(end).utf8)) else { continue }
            let forms = entries[entry].forms
            guard form < forms.count else { return nil }
            if end == value { return forms[form] }
            return digitForm.flatMap { words(value - end, $0) }.map { $0 + space + forms[form] }
        }
        return nil
    }

    /// - Parameter whole: the integer part, or nil if there are no digits before the decimal separator.
    func decimal(_ whole: Int64?, _ fraction: [UInt8], _ form: Int) -> String? {
        guard var point = language.settings.point else { return nil }
        if whole != nil || language.settings.skipsZero != true {
            guard let first = words(whole ?? 0, form) else { return nil }
            point = first + space + point
        }
        let byDigits = language.settings.fractionByDigits != false || fraction.count > 3 || fraction.first == 0x30
        guard !byDigits, let value = DigitValue.of(fraction, fraction.indices) else {
            return digits(fraction).map { point + space + $0 }
        }
        guard let digitForm, let rest = words(value, digitForm) else { return nil }
        return point + space + rest
    }

    func digits(_ digits: [UInt8]) -> String? { joined(digits.map { digitWord($0) }, separator: space) }

    /// Returns the digits one by one, with the digit words for telephone numbers.
    func telephone(_ digits: [UInt8]) -> String? {
        let words = digits.map { digit in
            language.telephoneDigit(digit).flatMap { entries[$0].forms.first } ?? digitWord(digit)
        }
        return joined(words, separator: space)
    }

    /// Returns the digits in pairs. If there is an odd number of digits, the first one is read on its own.
    func twos(_ digits: [UInt8]) -> String? {
        var parts: [String?] = []
        var start = 0
        while start < digits.count {
            let end = start + (start == 0 && digits.count % 2 == 1 ? 1 : 2)
            let part = Array(digits[start..<end])
            let value = part[0] == 0x30 ? nil : DigitValue.of(part, part.indices)
            parts.append(value.flatMap { value in digitForm.flatMap { words(value, $0) } } ?? self.digits(part))
            start = end
        }
        return joined(parts, separator: space)
    }

    /// Joins the parts. Returns nil if any part is nil.
    func joined(_ parts: [String?], separator: String = " ") -> String? {
        let words = parts.compactMap(\.self)
        return words.count == parts.count ? words.joined(separator: separator) : nil
    }

    private func digitWord(_ digit: UInt8) -> String? {
        guard (0x30...0x39).contains(digit) else { return nil }
        let value = Int(digit - 0x30)
        if let known = digitWords[value] { return known }
        guard let digitForm, let word = words(Int64(value), digitForm) else { return nil }
        digitWords[value] = word
        return word
    }

    /// Returns the entry's plural form for a number.
    func form(_ forms: [String], for number: Double?) -> String? {
        guard let last = forms.last else { return nil }
        guard forms.count > 1, let number, let plurals = language.settings.plurals else { return last }
        guard let index = plurals.firstIndex(of: speller?.plural(number) ?? "other"), index < forms.count else {
            return last
        }
        return forms[index]
    }

    /// Returns letters as separate capitals and digits as words. A plural ends with 's.
    ///
    /// Letters are separated by periods, as in "U.S.A", because a single letter such as "A" may be a word.
    func letters(_ bytes: ArraySlice<UInt8>) -> String? {
        var result = ""
        var endsWithLetter = false
        var bytes = bytes
        let isPlural =
            bytes.count > 2 && bytes.last == 0x73 && bytes.dropLast().allSatisfy { (0x41...0x5A).contains($0) }
        if isPlural { bytes.removeLast() }
        // Do not separate two letters with a period, because espeak-ng reads "T.V's" as "T dot V's".
        let separator = language.settings.spacesLetters == true || isPlural && bytes.count == 2 ? " " : "."
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let plain = scalar.isASCII && ("0"..."9").contains(scalar) ? UInt8(scalar.value & 0xF) : nil
            if let digit = plain ?? RaisedDigits.lowered(scalar.value) ?? RaisedDigits.value(scalar.value) {
                guard let word = digitWord(digit + 0x30) else { return nil }
                result += result.isEmpty ? word : " \(word)"
                endsWithLetter = false
            } else if scalar.properties.isAlphabetic {
                if !result.isEmpty { result += endsWithLetter ? separator : " " }
                result += scalar.properties.uppercaseMapping
                endsWithLetter = true
            }
        }
        return result + (isPlural ? "'s" : "")
    }

    /// Returns all letters and digits one by one, and the word for each symbol that has one. Returns nil if the result
    /// would be empty.
    func characters(_ tokens: [Token], _ bytes: [UInt8]) -> String? {
        var parts: [String] = []
        var start = 0
        func spell(to end: Int) -> Bool {
            guard start < end else { return true }
            guard let letters = letters(bytes[start..<end]) else { return false }
            if !letters.isEmpty { parts.append(letters) }
            return true
        }
        for token in tokens {
            guard token.kind == .mark, let word = symbol(token) else { continue }
            guard spell(to: token.range.lowerBound) else { return nil }
            parts.append(word)
            start = token.range.upperBound
        }
        guard spell(to: bytes.count), !parts.isEmpty else { return nil }
        return parts.joined(separator: " ")
    }

    /// Returns names unchanged, with words for the symbols between them.
    func address(_ tokens: [Token], _ bytes: [UInt8]) -> String? {
        var parts: [String?] = []
        var tokens = tokens[...]
        // Omit "https://".
        if let colon = tokens.dropFirst().first, colon.exact == 0x3A, tokens.dropFirst(2).first?.exact == 0x2F {
            tokens = tokens.dropFirst(4)
        }
        if tokens.last?.exact == 0x2F, tokens.count > 1 { tokens = tokens.dropLast() }
        var isAfterCapitals = false
        // In an IP address or a host name with a port, numbers are not read digit by digit.
        let first = tokens.first
        let isMachine = first?.kind == .digits || tokens.dropFirst().first?.exact == 0x3A && first?.length == 9
        for token in tokens {
            switch token.kind {
            case .digits where isMachine && tokens.count > 2 && isNumber(token):
                parts.append(pairs(Array(bytes[token.range])))
            case .digits:
                let digits = Array(bytes[token.range])
                let value = DigitValue.of(digits, digits.indices)
                // A number from 1900 to 2039 is a year, except after capitals, as in IMG_2024, because cameras number
                // their images.
                if digits.count == 4, let value, (1900...2039).contains(value), !isAfterCapitals {
                    parts.append(pairs(digits))
                } else if digits.count <= 2, digits.first != 0x30, let value, let digitForm {
                    parts.append(words(value, digitForm))
                } else {
                    parts.append(self.digits(digits))
                }
            case .word:
                let isUnspeakable =
                    (2...4).contains(token.length) && bytes[token.range].allSatisfy { $0 < 0x80 && !Vowels.contain($0) }
                let isLast = token.range.upperBound == tokens.last?.range.upperBound
                let isSpelled = isUnspeakable || token.length == 2 && isLast && !language.isDomainWord(token)
                parts.append(isSpelled ? letters(bytes[token.range]) : text(token, bytes))
                isAfterCapitals = token.shape == .upper
            case .space: break
            case .mark, .ideograph:
                parts.append(symbol(token) ?? text(token, bytes))
            }
        }
        return joined(parts)
    }

    /// Whether a number in a host name is read as a number rather than digit by digit. In languages that read digits in
    /// pairs, only four-digit numbers are.
    private func isNumber(_ token: Token) -> Bool {
        token.length == 4 || token.length < 4 && language.formNumbers["pair"] == nil
    }

    /// Returns the word for a symbol in an address.
    func symbol(_ token: Token) -> String? { language.symbol(token).flatMap { entries[$0].forms.first } }

    /// Reads "ClimateChange_2024" as "Climate Change 2024", with the number in words.
    func camel(_ tokens: [Token], _ bytes: [UInt8]) -> String? {
        var parts: [String?] = []
        for token in tokens {
            switch token.kind {
            case .digits:
                guard let value = DigitValue.of(bytes, token.range), token.length <= 4 || digitForm == nil else {
                    parts.append(digits(Array(bytes[token.range])))
                    continue
                }
                let form = token.length == 4 ? language.formNumbers["year"] ?? digitForm : digitForm
                parts.append(form.flatMap { words(value, $0) })
            case .word: parts += humps(text(token, bytes)) as [String?]
            case .space, .mark, .ideograph: break
            }
        }
        return joined(parts)
    }
}
