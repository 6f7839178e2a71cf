/// Verbalizes text whose kind the caller has specified.
struct StatedReading {
    let language: Language
    let numbers: NumberWords

    /// Returns nil if the text cannot be read as this kind, for example because it consists only of accents.
    func words(_ text: [UInt8], _ kind: SpokenKind, _ format: String?) -> String? {
        reading(text, kind, format).flatMap { words in words.allSatisfy(\.isWhitespace) ? nil : words }
    }

    private func reading(_ text: [UInt8], _ kind: SpokenKind, _ format: String?) -> String? {
        var start = 0
        var end = text.count
        while start < end, isSpace(text[start]) { start += 1 }
        while end > start, isSpace(text[end - 1]) { end -= 1 }
        guard start < end else { return nil }
        let bytes = Array(text[start..<end])
        switch kind {
        case .cardinal:
            return ruled(bytes, "cardinal", format) ?? ruled(bytes, "decimal", format) ?? number(bytes, "cardinal")
        case .ordinal: return ruled(bytes, "ordinal", format) ?? number(bytes, "ordinal")
        case .digits: return digits(bytes)
        case .characters: return numbers.characters(Tokenizer.tokens(of: bytes, language.vocabulary), bytes)
        case .telephone: return ruled(bytes, kind.ruleKind, format) ?? groups(bytes)
        case .address: return postal(bytes) ?? numbers.address(Tokenizer.tokens(of: bytes, language.vocabulary), bytes)
        // "5+1/2" is read as five and a half.
        case .fraction: return ruled(bytes.map { $0 == 0x2B ? 0x20 : $0 }, kind.ruleKind, format)
        case .date, .time, .currency, .unit: return ruled(bytes, kind.ruleKind, format)
        }
    }

    /// Returns the words for a postal address, or nil if the text is a URL or e-mail address.
    private func postal(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(0x20), !bytes.contains(where: { $0 == 0x40 || $0 == 0x3A || $0 == 0x5C }) else {
            return nil
        }
        var normalizer = TextNormalizer(bytes: bytes, language: language, numbers: numbers)
        return normalizer.replacements().applied(to: String(decoding: bytes, as: UTF8.self))
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Applies the first rule that is of this kind and matches the entire text. Rules for the given format are tried
    /// first.
    private func ruled(_ bytes: [UInt8], _ kind: String, _ format: String?) -> String? {
        var matcher = Matcher(bytes: bytes, language: language)
        let speaker = Speaker(language: language, bytes: bytes, tokens: matcher.tokens, numbers: numbers)
        let kinds = (format.map { ["\(kind).\($0.lowercased())"] } ?? []) + [kind]
        for kind in kinds {
            for rule in language.rules where rule.kind == kind {
                guard matcher.match(rule.pattern, at: 0, endingAt: matcher.tokens.count) else { continue }
                if let words = speaker.words(rule.template, matcher.captures) { return words }
            }
        }
        return nil
    }

    /// Returns the words for digits or a Roman numeral.
    private func number(_ bytes: [UInt8], _ form: String) -> String? {
        guard let form = language.formNumbers[form] ?? language.formNumbers["\(form).m"] else { return nil }
        let isDigits = bytes.allSatisfy { (0x30...0x39).contains($0) }
        let value = isDigits ? DigitValue.of(bytes, bytes.indices) : RomanNumber.value(bytes, bytes.indices)
        return value.flatMap { numbers.words($0, form) }
    }

    private func digits(_ bytes: [UInt8]) -> String? {
        let digits = bytes.filter { (0x30...0x39).contains($0) }
        return digits.isEmpty ? nil : numbers.digits(digits)
    }

    /// Returns the digits of a telephone number, with pauses between groups.
    private func groups(_ bytes: [UInt8]) -> String? {
        let groups = bytes.split { !(0x30...0x39).contains($0) }
        guard !groups.isEmpty else { return nil }
        return numbers.joined(groups.map { numbers.telephone(Array($0)) }, separator: ", ")
    }
}

/// The kind of text, as specified by the caller, for example with `say-as` in SSML.
package enum SpokenKind: String, Equatable, Sendable, CaseIterable {
    case cardinal
    case ordinal
    case digits
    case characters
    case date
    case time
    case telephone
    case currency
    case fraction
    case unit
    case address

    /// Parses the names that SSML uses. Case-insensitive.
    package init?(interpretAs name: String) {
        let name = name.lowercased()
        guard let kind = SpokenKind(rawValue: name) ?? Self.otherNames[name] else { return nil }
        self = kind
    }

    private static let otherNames: [String: SpokenKind] = [
        "number": .cardinal, "spell-out": .characters, "verbatim": .characters, "letters": .characters,
        "tel": .telephone, "money": .currency, "measure": .unit, "url": .address, "net": .address, "email": .address,
    ]

    /// The name of the kind in the rule tables.
    var ruleKind: String { self == .currency ? "money" : rawValue }
}
