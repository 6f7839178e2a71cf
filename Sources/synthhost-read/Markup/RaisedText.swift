import SynthDocuments
import SynthSystem

/// Converts superscripts and subscripts to inline text that is spoken correctly.
struct RaisedText {
    /// The result of converting a superscript.
    enum Result: Equatable {
        /// The superscript is a footnote or verse number, which is omitted.
        case silent
        case text(String)
        /// The superscript is a mass number, which is spoken after the symbol that follows it, as in ¹⁴C.
        case massNumber(String)
    }

    let words: DocumentWords
    let language: String?

    // MARK: - Superscripts

    /// - Parameters:
    ///   - text: the superscript, with single spaces.
    ///   - before: the preceding text of the block. Only its end is relevant.
    ///   - isGlued: whether no space separates the preceding text from the superscript.
    ///   - next: the beginning of the next text.
    func raised(_ text: String, after before: String, isGlued: Bool, before next: String) -> Result {
        let bare = String(text.trimmed(\.isWhitespace).map { $0 == "−" || $0 == "–" ? "-" : $0 })
        guard let first = bare.first else { return .text("") }
        if let trade = ["TM": "™", "SM": "℠", "™": "™", "®": "®", "©": "©", "°": "°"][bare] { return .text(trade) }
        let isNumber = bare.allSatisfy { $0.isASCII && $0.isNumber }
        let tail = isGlued ? Tail(before) : Tail("")
        if isNumber, tail.isEmpty || tail.isOpening, let symbol = Self.symbol(at: next), bare.count <= 3 {
            // "³In the beginning" starts with a verse number, but ¹¹⁵In is an isotope.
            let isWord =
                bare.count <= 2 && Self.wordsLikeElements.contains(symbol)
                && Self.continuesInSmallLetters(next.dropFirst(symbol.count))
            return Self.elements.contains(symbol) && !isWord ? .massNumber(bare) : .silent
        }
        if bare.allSatisfy({ "*†‡§¶#∗⁎".contains($0) }) { return tail.isFormula && bare == "*" ? .text("*") : .silent }
        let isCharge =
            bare.count <= 3 && (bare.last == "+" || bare.last == "-") && bare.dropLast().allSatisfy(\.isNumber)
        if isCharge, tail.isFormula || tail.word.count <= 2, !tail.isEmpty {
            return .text(Self.superscript(bare) ?? bare)
        }
        let isSigned =
            (first == "-" || first == "+") && bare.count > 1
            && bare.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
        if isNumber || isSigned {
            guard tail.takesExponent(isShort: isNumber && bare.count <= 3) || isSigned && !tail.isEmpty else {
                return .silent
            }
            return .text(Self.superscript(bare) ?? bare)
        }
        if bare.allSatisfy(\.isLetter) { return letters(bare, tail, next) }
        if NoteMark(bare) != nil, !tail.takesExponent(isShort: true) { return .silent }
        let isExpression = bare.count <= 12 && !tail.isEmpty && tail.takesExponent(isShort: false)
        return .text(isExpression ? " \(words.power) \(bare)" : bare)
    }

    private func letters(_ text: String, _ tail: Tail, _ next: String) -> Result {
        if text.count > 1, text.count <= 5, text.allSatisfy({ "ivxl".contains($0) }),
            tail.word.count > 2 || tail.endsSentence
        {
            return .silent
        }
        // This condition holds for "e to the power of iπ", but not for "nos" or "Mme".
        let isVariable = tail.word.count == 1 && tail.word.allSatisfy { $0.isLowercase && $0.isASCII }
        if isVariable, (2...3).contains(text.count), !Self.endings.contains(text) {
            return .text(" \(words.power) \(text)")
        }
        guard text.count == 1, let letter = text.first else { return .text(text) }
        if letter == "o" || letter == "a", tail.isDigit || tail.word.lowercased() == "n" {
            return .text(ordinal(letter))
        }
        let isExponent = "nkxyzijmpqtuvw".contains(letter) && !(next.first?.isLetter ?? false)
        if isExponent, tail.isDigit || tail.isClosing || tail.word.count == 1 {
            // "Sᵗ" and "Mʳ" are words.
            if tail.word.first?.isUppercase == true, "tv".contains(letter) { return .text(text) }
            return .text(" \(words.power) \(text)")
        }
        // A letter after a complete word is a footnote reference.
        if tail.word.count > 3, tail.word.dropFirst().allSatisfy(\.isLowercase), letter.isLowercase { return .silent }
        if tail.endsSentence { return .silent }
        return .text(text)
    }

    private static let endings: Set = [
        "os", "ro", "er", "re", "th", "st", "nd", "rd", "me", "ème", "de", "mo", "as", "le", "to",
    ]

    private func ordinal(_ letter: Character) -> String {
        guard let language, ["es", "pt", "it", "ca", "gl"].contains(LanguageTag.primary(language)) else {
            return String(letter)
        }
        return letter == "o" ? "º" : "ª"
    }

    // MARK: - Subscripts

    func lowered(_ text: String, after before: String, isGlued: Bool) -> String {
        let bare = text.trimmed(\.isWhitespace)
        guard isGlued, !bare.isEmpty else { return bare }
        let tail = Tail(before)
        let isNumber = bare.allSatisfy { $0.isASCII && $0.isNumber }
        return isNumber && (tail.isFormula || tail.isClosing) ? bare : " \(bare)"
    }

    // MARK: - Fractions

    /// Returns the text for a fraction: "½", or " 3/16" after a number.
    static func fraction(_ numerator: String, _ denominator: String, after before: String, isGlued: Bool) -> String {
        if let sign = signs["\(numerator)/\(denominator)"] { return sign }
        return (isGlued && Tail(before).isDigit ? " " : "") + "\(numerator)/\(denominator)"
    }

    private static let signs: [String: String] = [
        "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘",
        "1/6": "⅙", "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞",
    ]

    // MARK: - Signs

    private static let raisedSigns: [Character: Character] = [
        "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹", "-": "⁻",
        "−": "⁻", "+": "⁺",
    ]
    private static let loweredSigns: [Character: Character] = [
        "0": "₀", "1": "₁", "2": "₂", "3": "₃", "4": "₄", "5": "₅", "6": "₆", "7": "₇", "8": "₈", "9": "₉",
    ]

    /// Returns the text in superscript, or nil if a character has no superscript form.
    ///
    /// - Parameter withN: whether to use ⁿ.
    static func superscript(_ text: String, withN: Bool = false) -> String? {
        small(text) { withN && $0 == "n" ? "ⁿ" : raisedSigns[$0] }
    }

    /// Returns the text in subscript, or nil if a character has no subscript form.
    static func subscripted(_ text: String) -> String? { small(text) { loweredSigns[$0] } }

    private static func small(_ text: String, _ form: (Character) -> Character?) -> String? {
        let signs = text.compactMap(form)
        return signs.count == text.count ? String(signs) : nil
    }

    private static func symbol(at next: String) -> String? {
        let letters = next.prefix { $0.isLetter }
        return letters.isEmpty ? nil : String(letters)
    }

    private static let wordsLikeElements: Set = [
        "In", "As", "At", "He", "I", "No", "Be", "Am", "Es", "La", "Os", "Se", "U", "Y",
    ]

    private static func continuesInSmallLetters(_ text: Substring) -> Bool {
        text.first?.isWhitespace == true && text.drop(while: \.isWhitespace).first?.isLowercase == true
    }

    private static let elements: Set<String> = Set(
        """
        H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb \
        Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au \
        Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm
        """.split(separator: " ").map(String.init))
}

/// The end of the text before a superscript, a subscript or a fraction.
private struct Tail {
    /// The letters and digits at the end.
    let word: Substring
    private let before: Substring
    private let last: Character?

    init(_ text: String) {
        last = text.last
        let end = text.suffix(64)
        let start = end.lastIndex { !$0.isLetter && !$0.isNumber }.map { end.index(after: $0) } ?? end.startIndex
        word = end[start...]
        before = end[..<start]
    }

    var isEmpty: Bool { last == nil }
    var isDigit: Bool { word.last?.isNumber ?? false }
    var isOpening: Bool { last.map { "([{“‘\"".contains($0) } ?? false }
    var isClosing: Bool { last.map { ")]}".contains($0) } ?? false }
    var endsSentence: Bool { last.map { ".,;:!?”’»\"…".contains($0) } ?? false }

    /// Whether the word looks like a chemical formula, such as "H2SO" or "CO".
    var isFormula: Bool {
        guard let first = word.first, first.isUppercase, first.isASCII else { return false }
        var run = 0
        for character in word {
            run = character.isLowercase ? run + 1 : 0
            if run > 1 || !character.isASCII { return false }
        }
        return true
    }

    private static let units: Set = [
        "mm", "cm", "dm", "km", "nm", "µm", "μm", "in", "ft", "yd", "mi", "sec", "min", "kg", "mol", "rad", "ohm",
        "mph",
    ]
    private static let functions: Set = [
        "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "exp",
    ]
    private static let shortWords: Set = [
        "is", "it", "he", "of", "to", "me", "so", "us", "at", "on", "by", "we", "do", "go", "no", "my", "up", "or",
        "an",
        "as", "be", "if", "am", "er", "es", "il", "la", "le", "un", "tu", "du", "zu", "da", "ja", "en", "et", "de",
        "el",
        "lo", "se", "su", "ce", "on", "ne", "te", "oh", "ah", "io", "na", "do", "się", "то", "он", "мы", "вы", "не",
        "на",
    ]

    /// Whether a superscript number that follows the text is an exponent rather than a footnote number.
    func takesExponent(isShort: Bool) -> Bool {
        if isClosing { return !closedHasWord }
        guard let first = word.first else { return false }
        if word.allSatisfy(\.isNumber) {
            // A year may be followed by a footnote number, but not by an exponent.
            let isYear = word.count == 4 && ("15"..."20").contains(String(word.prefix(2)))
            return !(isYear && isShort && before.last != "." && before.last != ",")
        }
        if first.isNumber { return word.drop(while: \.isNumber).count <= 2 }
        if Self.units.contains(String(word)) || Self.functions.contains(word.lowercased()) { return true }
        return word.count <= 2 && !Self.shortWords.contains(String(word.lowercased()))
    }

    /// Whether the text in the last pair of brackets contains a word.
    private var closedHasWord: Bool {
        let inside = before.dropLast()
        let start = inside.lastIndex { "([{".contains($0) }.map { inside.index(after: $0) } ?? inside.startIndex
        return inside[start...].split { !$0.isLetter }.contains { $0.count > 2 }
    }
}
