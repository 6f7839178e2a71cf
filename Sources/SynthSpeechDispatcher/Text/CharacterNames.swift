/// The names of characters and keys in a language.
struct CharacterNames: Sendable {
    /// The BCP 47 tag without a region.
    let language: String
    let symbols: [Character: String]
    /// The spoken names of keys, by their lowercase names in the protocol.
    let keys: [String: String]
    /// The word that is spoken before a capital letter.
    let capital: String

    private static let all = [english, german]

    /// Returns the names for a language, or the English names if there are none.
    static func of(_ language: String) -> CharacterNames {
        let main = language.prefix { $0 != "-" }.lowercased()
        return all.first { $0.language == main } ?? english
    }

    /// Returns the spoken form of a single character.
    ///
    /// - Parameter announcesCapitals: whether to announce capital letters.
    func word(for character: Character, announcesCapitals: Bool) -> String {
        if let name = symbols[character] { return name }
        let letter = Self.alone(character)
        return announcesCapitals && character.isUppercase ? "\(capital) \(letter)" : letter
    }

    /// Converts a letter to uppercase, because engines may treat "a" as a word.
    static func alone(_ character: Character) -> String {
        let upper = character.uppercased()
        return upper.count == 1 ? upper : String(character)
    }

    /// Returns the spoken form of a key, such as "shift_a" or "control_Home".
    func word(forKey key: String) -> String {
        let parts = key == "_" ? [key[...]] : key.split(separator: "_", omittingEmptySubsequences: true)
        let words = parts.map { part -> String in
            if let name = keys[part.lowercased()] { return name }
            if part.count == 1, let character = part.first { return word(for: character, announcesCapitals: false) }
            return String(part.replacing("-", with: " "))
        }
        return words.isEmpty ? key : words.joined(separator: " ")
    }

    /// The lowest punctuation mode in which a symbol is spoken within text.
    static func level(of symbol: Character) -> ModuleSettings.Punctuation {
        if "-–—\"“”„‘«»".contains(symbol) { return .most }
        return " \u{A0}\t\n.,!?'’…¿¡".contains(symbol) ? .all : .some
    }
}

extension CharacterNames {
    static let english = CharacterNames(
        language: "en",
        symbols: [
            " ": "space", "\u{A0}": "space", "\t": "tab", "\n": "new line", ".": "dot", ",": "comma",
            "!": "exclamation mark", "?": "question mark", "'": "apostrophe", "’": "apostrophe", "…": "dot dot dot",
            "¿": "opening question mark", "¡": "opening exclamation mark", ":": "colon", ";": "semicolon", "-": "dash",
            "–": "en dash", "—": "em dash", "(": "left paren", ")": "right paren", "[": "left bracket",
            "]": "right bracket", "{": "left brace", "}": "right brace", "\"": "quote", "“": "left quote",
            "”": "right quote", "„": "low quote", "‘": "left tick", "«": "left guillemet", "»": "right guillemet",
            "@": "at", "#": "number", "$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "percent", "&": "and",
            "*": "star", "+": "plus", "/": "slash", "<": "less", "=": "equals", ">": "greater", "\\": "backslash",
            "^": "caret", "_": "underscore", "`": "backtick", "|": "bar", "~": "tilde", "§": "section", "°": "degrees",
            "©": "copyright", "®": "registered", "™": "trade mark", "×": "times", "÷": "divided by", "•": "bullet",
            "→": "right arrow", "←": "left arrow", "²": "squared", "³": "cubed",
        ],
        keys: [
            "space": "space", "underscore": "underscore", "double-quote": "quote", "shift": "shift",
            "control": "control", "alt": "alt", "meta": "meta", "super": "super", "hyper": "hyper",
            "caps-lock": "caps lock", "capslock": "caps lock", "num-lock": "num lock", "scroll-lock": "scroll lock",
            "enter": "enter", "return": "return", "tab": "tab", "escape": "escape", "backspace": "backspace",
            "delete": "delete", "insert": "insert", "home": "home", "end": "end", "prior": "page up",
            "next": "page down", "page-up": "page up", "page-down": "page down", "pageup": "page up",
            "pagedown": "page down", "up": "up", "down": "down", "left": "left", "right": "right",
            "print": "print screen", "pause": "pause", "break": "break", "menu": "menu", "window": "window",
            "kp": "keypad", "kp-enter": "keypad enter", "kp-+": "keypad plus", "kp--": "keypad minus",
            "kp-*": "keypad star", "kp-/": "keypad slash",
        ],
        capital: "capital")

    static let german = CharacterNames(
        language: "de",
        symbols: [
            " ": "Leerzeichen", "\u{A0}": "Leerzeichen", "\t": "Tabulator", "\n": "neue Zeile", ".": "Punkt",
            ",": "Komma", "!": "Ausrufezeichen", "?": "Fragezeichen", "'": "Apostroph", "’": "Apostroph",
            "…": "Punkt Punkt Punkt", "¿": "umgekehrtes Fragezeichen", "¡": "umgekehrtes Ausrufezeichen",
            ":": "Doppelpunkt", ";": "Semikolon", "-": "Bindestrich", "–": "Gedankenstrich",
            "—": "langer Gedankenstrich", "(": "Klammer auf", ")": "Klammer zu", "[": "eckige Klammer auf",
            "]": "eckige Klammer zu", "{": "geschweifte Klammer auf", "}": "geschweifte Klammer zu",
            "\"": "Anführungszeichen", "“": "Anführungszeichen oben", "”": "Anführungszeichen oben",
            "„": "Anführungszeichen unten", "‘": "einfaches Anführungszeichen", "«": "Guillemet links",
            "»": "Guillemet rechts", "@": "at", "#": "Raute", "$": "Dollar", "€": "Euro", "£": "Pfund", "¥": "Yen",
            "%": "Prozent", "&": "und", "*": "Stern", "+": "plus", "/": "Schrägstrich", "<": "kleiner", "=": "gleich",
            ">": "größer", "\\": "umgekehrter Schrägstrich", "^": "Zirkumflex", "_": "Unterstrich", "`": "Gravis",
            "|": "senkrechter Strich", "~": "Tilde", "§": "Paragraf", "°": "Grad", "©": "Copyright",
            "®": "eingetragene Marke", "™": "Trademark", "×": "mal", "÷": "geteilt durch", "•": "Aufzählungspunkt",
            "→": "Pfeil rechts", "←": "Pfeil links", "²": "hoch zwei", "³": "hoch drei",
        ],
        keys: [
            "space": "Leertaste", "underscore": "Unterstrich", "double-quote": "Anführungszeichen", "shift": "Umschalt",
            "control": "Steuerung", "alt": "Alt", "meta": "Meta", "super": "Super", "hyper": "Hyper",
            "caps-lock": "Feststelltaste", "capslock": "Feststelltaste", "num-lock": "Num Lock",
            "scroll-lock": "Rollen", "enter": "Eingabe", "return": "Eingabe", "tab": "Tabulator", "escape": "Escape",
            "backspace": "Rücktaste", "delete": "Entfernen", "insert": "Einfügen", "home": "Pos eins", "end": "Ende",
            "prior": "Bild auf", "next": "Bild ab", "page-up": "Bild auf", "page-down": "Bild ab", "pageup": "Bild auf",
            "pagedown": "Bild ab", "up": "auf", "down": "ab", "left": "links", "right": "rechts", "print": "Druck",
            "pause": "Pause", "break": "Unterbrechen", "menu": "Menü", "window": "Fenster", "kp": "Nummernblock",
            "kp-enter": "Nummernblock Eingabe", "kp-+": "Nummernblock plus", "kp--": "Nummernblock minus",
            "kp-*": "Nummernblock Stern", "kp-/": "Nummernblock Schrägstrich",
        ],
        capital: "groß")
}
