/// Finds stylized letters and digits and replaces them with plain letters and digits: mathematical alphabets,
/// full-width, circled, boxed, superscript, subscript and small capital letters, ligatures, and letters of pre-1918
/// Russian: ѣ, and ъ at the end of a word.
///
/// Characters with a separate meaning are left unchanged: superscript digits (x²), fractions (½), units (℃), single
/// letters that denote a number set (ℝ), a single superscript n (xⁿ), emoji that show a letter (🅿), and phonetic
/// letters in phonetic transcriptions.
package enum PlainLetters {
    /// Returns the replacements, one per character, sorted by position. Runs in linear time. ASCII text is scanned only
    /// once.
    package static func replacements(in text: String) -> [Replacement] {
        guard mayHaveWork(text.utf8Span.span) else { return [] }
        let bytes = Array(text.utf8)
        var found: [Replacement] = []
        var reader = LetterReader(bytes)
        while let (range, letters) = reader.next() {
            found.append(Replacement(range: range, words: letters, kind: "letters"))
        }
        return found
    }

    /// Whether the text may contain stylized characters, based on their first bytes.
    private static func mayHaveWork(_ text: Span<UInt8>) -> Bool {
        for offset in 0..<text.count where text[offset] >= 0xC4 {
            switch text[offset] {
            // Ъ, ъ, Ѣ and ѣ
            case 0xD0 where offset + 1 < text.count && text[offset + 1] == 0xAA: return true
            case 0xD1 where offset + 1 < text.count && [0x8A, 0xA2, 0xA3].contains(text[offset + 1]): return true
            case 0xC4, 0xC5, 0xC9, 0xCA, 0xCB, 0xE1, 0xE2, 0xEA, 0xEF, 0xF0: return true
            default: continue
            }
        }
        return false
    }
}

/// Scans the text once, from one stylized letter to the next.
private struct LetterReader {
    private let bytes: [UInt8]
    private var offset = 0
    /// The end of the most recently examined word that contains small capitals, and whether the word is ordinary text.
    private var word = (end: 0, isSmallCapitals: false)
    /// The end of the most recently examined run of superscript letters, and whether the run ends a word.
    private var raised = (end: 0, isText: false)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (Range<Int>, String)? {
        while offset < bytes.count {
            if bytes[offset] < 0xC4 {
                offset += 1
                continue
            }
            let (value, length) = scalar(in: bytes, at: offset)
            let range = offset..<offset + length
            offset += length
            if let letters = plain(value, range) { return (range, letters) }
        }
        return nil
    }

    private mutating func plain(_ value: UInt32, _ range: Range<Int>) -> String? {
        switch LetterForm(value) {
        case nil: return nil
        case .always(let letters): return letters
        case .number(let number):
            let isApartBefore = range.lowerBound == 0 || Self.separates(bytes[range.lowerBound - 1])
            let isApartAfter = range.upperBound == bytes.count || Self.separates(bytes[range.upperBound])
            return (isApartBefore ? "" : " ") + String(number) + (isApartAfter ? "" : " ")
        case .mute: return endsWord(range.lowerBound) && isWordEnd(range.upperBound) ? "" : nil
        // Outside a word, the character is a mathematical symbol or an emoji.
        case .inWord(let letters): return isInWord(range) ? letters : nil
        case .lowered(let letters): return endsWord(range.lowerBound) ? " " + letters : letters
        case .smallCapital(let letters, _):
            if range.lowerBound >= word.end { word = smallCapitals(from: range.lowerBound) }
            return word.isSmallCapitals ? letters : nil
        case .raised(let letters, _):
            if range.lowerBound >= raised.end { raised = raisedRun(from: range.lowerBound) }
            guard raised.isText else { return nil }
            // "Nᵒ" is an abbreviation that is normally written with "º".
            let isNumber = value == 0x1D52 && range.lowerBound > 0 && bytes[range.lowerBound - 1] | 0x20 == 0x6E
            return isNumber && raised.end == range.upperBound ? "º" : letters
        }
    }

    /// Whether the byte is white space or ASCII punctuation, so that no space is needed between it and a number.
    private static func separates(_ byte: UInt8) -> Bool {
        byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte | 0x20)
    }

    /// Whether a word ends at the position. Invisible characters, such as soft hyphens, are skipped.
    private func isWordEnd(_ position: Int) -> Bool {
        var position = position
        while position < bytes.count {
            let (value, length) = scalar(in: bytes, at: position)
            guard [0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF].contains(value) else {
                return TokenClass.of(value) != .letter
            }
            position += length
        }
        return true
    }

    private func isInWord(_ range: Range<Int>) -> Bool {
        if endsWord(range.lowerBound) { return true }
        guard range.upperBound < bytes.count else { return false }
        return isLetter(at: range.upperBound)
    }

    private func isLetter(at offset: Int) -> Bool {
        let (value, _) = scalar(in: bytes, at: offset)
        if value < 0x80 { return (0x61...0x7A).contains(value | 0x20) }
        switch LetterForm(value) {
        case .always?, .inWord?: return true
        default: return false
        }
    }

    /// Whether a letter or digit precedes the position.
    private func endsWord(_ position: Int) -> Bool {
        guard position > 0 else { return false }
        var start = position - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        let (value, _) = scalar(in: bytes, at: start)
        if value < 0x80 { return (0x61...0x7A).contains(value | 0x20) || (0x30...0x39).contains(value) }
        if let form = LetterForm(value), case .always = form { return true }
        if let form = LetterForm(value), case .inWord = form { return true }
        return TokenClass.of(value) == .letter
    }

    /// Examines a word that contains small capitals. The word is ordinary text if it contains a letter that is not used
    /// in phonetic notation, or if it has at least two small capitals and no plain letters other than "s" and "x".
    private func smallCapitals(from start: Int) -> (end: Int, isSmallCapitals: Bool) {
        var end = start
        var isSure = false
        var count = 0
        var hasOther = false
        while end < bytes.count {
            let (value, length) = scalar(in: bytes, at: end)
            if case .smallCapital(_, let isPhonetic)? = LetterForm(value) {
                isSure = isSure || !isPhonetic
                count += 1
            } else if (0x61...0x7A).contains(value | 0x20), value < 0x80 {
                hasOther = hasOther || value != 0x73 && value != 0x78
            } else {
                break
            }
            end += length
        }
        return (end, isSure || count > 1 && !hasOther)
    }

    private func raisedRun(from start: Int) -> (end: Int, isText: Bool) {
        var end = start
        var isSure = false
        var count = 0
        while end < bytes.count {
            let (value, length) = scalar(in: bytes, at: end)
            guard case .raised(_, let isSign)? = LetterForm(value) else { break }
            isSure = isSure || !isSign
            count += 1
            end += length
        }
        return (end, endsWord(start) && (isSure || count > 1))
    }
}

/// The plain form of a stylized letter, and the context in which it replaces the letter.
private enum LetterForm {
    case always(String)
    /// Replaced only within a word, because the letter has a different meaning on its own.
    case inWord(String)
    /// Replaced with a separate number.
    case number(UInt32)
    /// Not spoken at the end of a word.
    case mute
    /// Replaced with a separate word: xᵢ is read as "x i".
    case lowered(String)
    case smallCapital(String, isPhonetic: Bool)
    /// If `isSign` is true, the letter on its own is an exponent or a phonetic symbol.
    case raised(String, isSign: Bool)

    init?(_ value: UInt32) {
        switch value {
        case ..<0x132: return nil
        case 0x132: self = .always("IJ")
        case 0x133: self = .always("ij")
        case 0x42A, 0x44A: self = .mute
        case 0x2460...0x2473: self = .number(value - 0x2460 + 1)
        case 0x24EA: self = .number(0)
        case 0x24EB...0x24F4: self = .number(value - 0x24EB + 11)
        case 0x24F5...0x24FE: self = .number(value - 0x24F5 + 1)
        case 0x2776...0x277F: self = .number(value - 0x2776 + 1)
        case 0x2780...0x2789: self = .number(value - 0x2780 + 1)
        case 0x278A...0x2793: self = .number(value - 0x278A + 1)
        case 0x17F, 0x250...0x2FF, 0x462...0x463, 0x1D00...0x1DBF, 0x2071, 0x207F, 0x2090...0x209C, 0x2102...0x2134,
            0x2C7C...0x2C7D, 0xA730...0xA731, 0xA7AF, 0x1D6A4...0x1D6A5:
            guard let form = Unicode.Scalar(value).flatMap({ Self.single[$0] }) else { return nil }
            self = form
        case 0x249C...0x24B5: self = .always(Self.letter(0x61, value - 0x249C))
        case 0x24B6...0x24CF: self = .always(Self.letter(0x41, value - 0x24B6))
        case 0x24D0...0x24E9: self = .always(Self.letter(0x61, value - 0x24D0))
        case 0xFB00...0xFB06: self = .always(["ff", "fi", "fl", "ffi", "ffl", "st", "st"][Int(value - 0xFB00)])
        case 0xFF10...0xFF19: self = .always(Self.letter(0x30, value - 0xFF10))
        case 0xFF21...0xFF3A: self = .always(Self.letter(0x41, value - 0xFF21))
        case 0xFF41...0xFF5A: self = .always(Self.letter(0x61, value - 0xFF41))
        case 0x1D400...0x1D7FF: self.init(alphabet: value)
        case 0x1F110...0x1F129: self = .always(Self.letter(0x41, value - 0x1F110))
        case 0x1F130...0x1F149: self = .always(Self.letter(0x41, value - 0x1F130))
        case 0x1F150...0x1F169: self = .always(Self.letter(0x41, value - 0x1F150))
        case 0x1F170...0x1F189: self = .inWord(Self.letter(0x41, value - 0x1F170))
        default: return nil
        }
    }

    private static func letter(_ first: UInt32, _ distance: UInt32) -> String {
        Unicode.Scalar(first + distance).map { String($0) } ?? ""
    }

    /// Creates the form of a letter or digit in the mathematical alphabets.
    private init?(alphabet value: UInt32) {
        switch value {
        case ..<0x1D6A4:
            let position = (value - 0x1D400) % 52
            self = .always(Self.letter(position < 26 ? 0x41 : 0x61 - 26, position))
        case 0x1D6A8...0x1D7C9:
            let position = (value - 0x1D6A8) % 58
            switch position {
            case 17: self = .always("Θ")
            case ..<25: self = .always(Self.letter(0x391, position))
            case 25: self = .always("∇")
            case ..<51: self = .always(Self.letter(0x3B1, position - 26))
            default: self = .always(["∂", "ε", "θ", "κ", "φ", "ρ", "π"][Int(position - 51)])
            }
        case 0x1D7CE...: self = .always(Self.letter(0x30, (value - 0x1D7CE) % 10))
        default: return nil
        }
    }

    /// Letters outside the contiguous ranges: letters that the mathematical alphabets omit because Unicode already
    /// contained them, small capitals, subscripts and superscripts. Some superscript letters are phonetic. ₔ is
    /// omitted, because linguistic notation uses it.
    private static let single: [Unicode.Scalar: LetterForm] = {
        var known: [Unicode.Scalar: LetterForm] = [:]
        func add(_ pairs: String, _ form: (String) -> LetterForm) {
            let scalars = Array(pairs.unicodeScalars)
            for index in stride(from: 0, to: scalars.count - 1, by: 2) {
                known[scalars[index]] = form(String(scalars[index + 1]))
            }
        }
        add("ſsѢЕѣе𝚤i𝚥jℊgℋHℌHℎhℐIℑIℒLℓlℛRℜRℨZℬBℭCℯeℰEℱFℳMℴo") { .always($0) }
        add("ℂCℍHℕNℙPℚQℝRℤZ") { .inWord($0) }
        add("ₐaₑeₒoₓxₕhₖkₗlₘmₙnₚpₛsₜtⱼjᵢiᵣrᵤuᵥv") { .lowered($0) }
        add("ᴀaᴄcᴅdᴇeꜰfᴊjᴋkᴍmᴏoᴘpꞯqꜱsᴛtᴜuᴠvᴡwᴢz") { .smallCapital($0, isPhonetic: false) }
        add("ʙbɢgʜhɪiʟlɴnʀrʏy") { .smallCapital($0, isPhonetic: true) }
        add("ᴬAᴮBᴰDᴱEᴳGᴴHᴵIᴶJᴷKᴸLᴹMᴺNᴼOᴾPᴿRᵀTᵁUᵂWⱽV") { .raised($0, isSign: false) }
        add("ᵃaᵇbᶜcᵈdᵉeᶠfᵍgᵏkᵐmᵒoᵖpᵗtᵘuᵛvᶻzʳrˢsˡl") { .raised($0, isSign: false) }
        add("ʰhʲjʷwʸyˣxⁱiⁿn") { .raised($0, isSign: true) }
        return known
    }()
}
