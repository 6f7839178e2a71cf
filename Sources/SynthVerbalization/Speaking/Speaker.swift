/// Fills a rule's template with the captures in a text. All functions return nil if they find no words, in which case
/// the text is left unchanged.
struct Speaker {
    let language: Language
    let bytes: [UInt8]
    let tokens: FixedBuffer<Token>
    let numbers: NumberWords

    func words(_ template: Template, _ captures: Captures) -> String? {
        words(template.parts, captures)
    }

    private func words(_ parts: [Template.Part], _ captures: Captures) -> String? {
        var result = ""
        for part in parts {
            switch part {
            case .words(let words): result += words
            case .capture(let slot, let verb):
                guard let words = words(verb, slot, captures) else { return nil }
                result += words
            case .optional(let inner):
                let isEmpty = inner.contains { part in
                    if case .capture(let slot, _) = part { captures[slot].isEmpty } else { false }
                }
                guard !isEmpty else { continue }
                guard let words = words(inner, captures) else { return nil }
                result += words
            }
        }
        return result
    }

    private func words(_ verb: Template.Verb, _ slot: Int, _ captures: Captures) -> String? {
        let capture = captures[slot]
        guard !capture.isEmpty else { return "" }
        switch verb {
        case .plain(.text): return text(capture)
        case .value: return entry(capture)?.forms.first ?? text(capture)
        case .plain(.digits): return numbers.digits(digits(capture))
        case .plain(.telephone): return numbers.telephone(digits(capture))
        case .plain(.letters): return entry(capture)?.forms.first ?? numbers.letters(bytes[byteRange(capture)])
        case .plain(.address): return numbers.address(capture.range.map { tokens[$0] }, bytes)
        case .plain(.camel): return numbers.camel(capture.range.map { tokens[$0] }, bytes)
        case .plain(.identifier): return numbers.identifier(capture.range.map { tokens[$0] }, bytes)
        case .plain(.pairs): return numbers.pairs(digits(capture))
        case .plain(.twos): return numbers.twos(digits(capture))
        case .plain(.code): return numbers.code(capture.range.map { tokens[$0] }, bytes)
        case .plain(.serial): return numbers.serial(bytes[byteRange(capture)])
        case .name(let number, let form):
            guard let entry = entry(capture) else { return text(capture) }
            if let form { return form < entry.forms.count ? entry.forms[form] : entry.forms.last ?? text(capture) }
            return numbers.form(entry.forms, for: number.flatMap { self.number(captures[$0]) })
                ?? text(capture)
        case .minor(let number):
            guard let entry = entry(capture) else { return nil }
            return numbers.form(entry.minorForms, for: self.number(captures[number]))
        case .form(let form, let other, let minor):
            let owner = other.flatMap { entry(captures[$0]) }
            let gender = minor ? owner?.minorGender : owner?.gender
            return cardinal(capture, form.number(for: gender))
        }
    }

    // MARK: - Captures

    func byteRange(_ capture: Capture) -> Range<Int> {
        guard !capture.isEmpty else { return 0..<0 }
        return Int(tokens[Int(capture.start)].start)..<Int(tokens[Int(capture.end) - 1].end)
    }

    private func text(_ capture: Capture) -> String {
        String(decoding: bytes[byteRange(capture)], as: UTF8.self)
    }

    private func entry(_ capture: Capture) -> ListEntry? {
        capture.entry >= 0 ? numbers.entries[Int(capture.entry)] : nil
    }

    /// Returns all digits of a capture, including superscripts and subscripts, as ASCII.
    private func digits(_ capture: Capture) -> [UInt8] {
        var digits: [UInt8] = []
        for token in capture.range.map({ tokens[$0] }) {
            if token.kind == .digits {
                digits += bytes[token.range]
            } else if let digit = RaisedDigits.value(token.exact) ?? RaisedDigits.lowered(token.exact) {
                digits.append(digit + 0x30)
            }
        }
        return digits
    }

    /// Returns the digits after the decimal separator.
    private func fraction(_ capture: Capture) -> [UInt8] {
        guard hasFraction(capture) else { return [] }
        return Array(bytes[tokens[Int(capture.fraction)].range])
    }

    private func hasFraction(_ capture: Capture) -> Bool {
        capture.fraction >= 0 && capture.range.contains(Int(capture.fraction))
    }

    /// Returns the integer part of a number, or the value of a Roman numeral. Returns nil for more than 18 digits.
    func integer(_ capture: Capture) -> Int64? {
        if capture.range.count == 1, tokens[capture.range.lowerBound].kind == .word {
            return RomanNumber.value(bytes, byteRange(capture))
        }
        var value: Int64 = 0
        var count = 0
        let end = hasFraction(capture) ? Int(capture.fraction) : capture.range.upperBound
        for index in capture.range.lowerBound..<end {
            let token = tokens[index]
            if token.kind == .digits {
                count += token.length
                guard count <= 18 else { return nil }
                for offset in token.range { value = value * 10 + Int64(bytes[offset] &- 0x30) }
            } else if let digit = RaisedDigits.value(token.exact) ?? RaisedDigits.lowered(token.exact) {
                count += 1
                guard count <= 18 else { return nil }
                value = value * 10 + Int64(digit)
            }
        }
        return count > 0 ? value : hasFraction(capture) ? 0 : nil
    }

    private func number(_ capture: Capture) -> Double? {
        guard let whole = integer(capture) else { return nil }
        let fraction = fraction(capture).prefix(9)
        var value = Double(whole)
        var unit = 1.0
        for digit in fraction {
            unit /= 10
            value += Double(digit &- 0x30) * unit
        }
        return value
    }

    private func cardinal(_ capture: Capture, _ form: Int) -> String? {
        guard let value = integer(capture) else { return numbers.digits(digits(capture)) }
        let fraction = fraction(capture)
        guard !fraction.isEmpty else {
            return value < NumberSpeller.limit ? numbers.words(value, form) : numbers.digits(digits(capture))
        }
        let isBare =
            Int(capture.fraction) == capture.range.lowerBound + 1 && tokens[capture.range.lowerBound].kind == .mark
        return numbers.decimal(isBare ? nil : value, fraction, form)
    }
}
