/// The names of characters and keys in a language.
struct CharacterNames: Sendable {
    /// The BCP 47 tag without a region.
    let language: String
    let symbols: [Character: SymbolName]
    /// The spoken names of keys, keyed by their lowercase names in the protocol.
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
        if let symbol = symbols[character] { return symbol.name }
        let letter = Self.alone(character)
        return announcesCapitals && character.isUppercase ? "\(capital) \(letter)" : letter
    }

    /// Converts a letter to uppercase, because engines may speak "a" as a word.
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
}

/// A symbol's name, and the lowest punctuation mode in which it is spoken within text.
struct SymbolName: Sendable {
    let name: String
    let level: ModuleSettings.Punctuation

    init(_ name: String, _ level: ModuleSettings.Punctuation) {
        self.name = name
        self.level = level
    }
}

extension CharacterNames {
    static let english = CharacterNames(
        language: "en",
        symbols: [
            " ": SymbolName("space", .all), "\u{A0}": SymbolName("space", .all), "\t": SymbolName("tab", .all),
            "\n": SymbolName("new line", .all), ".": SymbolName("dot", .all), ",": SymbolName("comma", .all),
            "!": SymbolName("exclamation mark", .all), "?": SymbolName("question mark", .all),
            "'": SymbolName("apostrophe", .all), "’": SymbolName("apostrophe", .all),
            "…": SymbolName("dot dot dot", .all), "¿": SymbolName("opening question mark", .all),
            "¡": SymbolName("opening exclamation mark", .all), ":": SymbolName("colon", .some),
            ";": SymbolName("semicolon", .some), "-": SymbolName("dash", .most), "–": SymbolName("en dash", .most),
            "—": SymbolName("em dash", .most), "(": SymbolName("left paren", .some),
            ")": SymbolName("right paren", .some), "[": SymbolName("left bracket", .some),
            "]": SymbolName("right bracket", .some), "{": SymbolName("left brace", .some),
            "}": SymbolName("right brace", .some), "\"": SymbolName("quote", .most),
            "“": SymbolName("left quote", .most), "”": SymbolName("right quote", .most),
            "„": SymbolName("low quote", .most), "‘": SymbolName("left tick", .most),
            "«": SymbolName("left guillemet", .most), "»": SymbolName("right guillemet", .most),
            "@": SymbolName("at", .some), "#": SymbolName("number", .some), "$": SymbolName("dollar", .some),
            "€": SymbolName("euro", .some), "£": SymbolName("pound", .some), "¥": SymbolName("yen", .some),
            "%": SymbolName("percent", .some), "&": SymbolName("and", .some), "*": SymbolName("star", .some),
            "+": SymbolName("plus", .some), "/": SymbolName("slash", .some), "<": SymbolName("less", .some),
            "=": SymbolName("equals", .some), ">": SymbolName("greater", .some),
            "\\": SymbolName("backslash", .some), "^": SymbolName("caret", .some),
            "_": SymbolName("underscore", .some), "`": SymbolName("backtick", .some), "|": SymbolName("bar", .some),
            "~": SymbolName("tilde", .some), "§": SymbolName("section", .some), "°": SymbolName("degrees", .some),
            "©": SymbolName("copyright", .some), "®": SymbolName("registered", .some),
            "™": SymbolName("trade mark", .some), "×": SymbolName("times", .some), "÷": SymbolName("divided by", .some),
            "•": SymbolName("bullet", .some), "→": SymbolName("right arrow", .some),
            "←": SymbolName("left arrow", .some), "²": SymbolName("squared", .some), "³": SymbolName("cubed", .some),
        ],
        keys: [
            "space": "space", "underscore": "underscore", "double-quote": "quote", "shift": "shift",
            "control": "control", "alt": "alt", "meta": "meta", "super": "super", "hyper": "hyper",
            "caps-lock": "caps lock",
            "capslock": "caps lock", "num-lock": "num lock", "scroll-lock": "scroll lock", "enter": "enter",
            "return": "return", "tab": "tab", "escape": "escape", "backspace": "backspace", "delete": "delete",
            "insert": "insert", "home": "home", "end": "end", "prior": "page up", "next": "page down",
            "page-up": "page up", "page-down": "page down", "pageup": "page up", "pagedown": "page down",
            "up": "up", "down": "down", "left": "left", "right": "right", "print": "print screen", "pause": "pause",
            "break": "break", "menu": "menu", "window": "window", "kp": "keypad", "kp-enter": "keypad enter",
            "kp-+": "keypad plus", "kp--": "keypad minus", "kp-*": "keypad star", "kp-/": "keypad slash",
        ],
        capital: "capital")
}

extension CharacterNames {
    static let german = CharacterNames(
        language: "de",
        symbols: [
            " ": SymbolName("Leerzeichen", .all), "\u{A0}": SymbolName("Leerzeichen", .all),
            "\t": SymbolName("Tabulator", .all), "\n": SymbolName("neue Zeile", .all), ".": SymbolName("Punkt", .all),
            ",": SymbolName("Komma", .all), "!": SymbolName("Ausrufezeichen", .all),
            "?": SymbolName("Fragezeichen", .all), "'": SymbolName("Apostroph", .all),
            "’": SymbolName("Apostroph", .all), "…": SymbolName("Punkt Punkt Punkt", .all),
            "¿": SymbolName("umgekehrtes Fragezeichen", .all), "¡": SymbolName("umgekehrtes Ausrufezeichen", .all),
            ":": SymbolName("Doppelpunkt", .some), ";": SymbolName("Semikolon", .some),
            "-": SymbolName("Bindestrich", .most), "–": SymbolName("Gedankenstrich", .most),
            "—": SymbolName("langer Gedankenstrich", .most), "(": SymbolName("Klammer auf", .some),
            ")": SymbolName("Klammer zu", .some), "[": SymbolName("eckige Klammer auf", .some),
            "]": SymbolName("eckige Klammer zu", .some), "{": SymbolName("geschweifte Klammer auf", .some),
            "}": SymbolName("geschweifte Klammer zu", .some), "\"": SymbolName("Anführungszeichen", .most),
            "“": SymbolName("Anführungszeichen oben", .most), "”": SymbolName("Anführungszeichen oben", .most),
            "„": SymbolName("Anführungszeichen unten", .most), "‘": SymbolName("einfaches Anführungszeichen", .most),
            "«": SymbolName("Guillemet links", .most), "»": SymbolName("Guillemet rechts", .most),
            "@": SymbolName("at", .some), "#": SymbolName("Raute", .some), "$": SymbolName("Dollar", .some),
            "€": SymbolName("Euro", .some), "£": SymbolName("Pfund", .some), "¥": SymbolName("Yen", .some),
            "%": SymbolName("Prozent", .some), "&": SymbolName("und", .some), "*": SymbolName("Stern", .some),
            "+": SymbolName("plus", .some), "/": SymbolName("Schrägstrich", .some), "<": SymbolName("kleiner", .some),
            "=": SymbolName("gleich", .some), ">": SymbolName("größer", .some),
            "\\": SymbolName("umgekehrter Schrägstrich", .some), "^": SymbolName("Zirkumflex", .some),
            "_": SymbolName("Unterstrich", .some), "`": SymbolName("Gravis", .some),
            "|": SymbolName("senkrechter Strich", .some), "~": SymbolName("Tilde", .some),
            "§": SymbolName("Paragraf", .some), "°": SymbolName("Grad", .some), "©": SymbolName("Copyright", .some),
            "®": SymbolName("eingetragene Marke", .some), "™": SymbolName("Trademark", .some),
            "×": SymbolName("mal", .some), "÷": SymbolName("geteilt durch", .some),
            "•": SymbolName("Aufzählungspunkt", .some), "→": SymbolName("Pfeil rechts", .some),
            "←": SymbolName("Pfeil links", .some), "²": SymbolName("hoch zwei", .some),
            "³": SymbolName("hoch drei", .some),
        ],
        keys: [
            "space": "Leertaste", "underscore": "Unterstrich", "double-quote": "Anführungszeichen",
            "shift": "Umschalt", "control": "Steuerung", "alt": "Alt", "meta": "Meta", "super": "Super",
            "hyper": "Hyper", "caps-lock": "Feststelltaste", "capslock": "Feststelltaste", "num-lock": "Num Lock",
            "scroll-lock": "Rollen", "enter": "Eingabe", "return": "Eingabe", "tab": "Tabulator", "escape": "Escape",
            "backspace": "Rücktaste", "delete": "Entfernen", "insert": "Einfügen", "home": "Pos eins", "end": "Ende",
            "prior": "Bild auf", "next": "Bild ab", "page-up": "Bild auf", "page-down": "Bild ab",
            "pageup": "Bild auf", "pagedown": "Bild ab", "up": "auf", "down": "ab", "left": "links",
            "right": "rechts", "print": "Druck", "pause": "Pause", "break": "Unterbrechen", "menu": "Menü",
            "window": "Fenster", "kp": "Nummernblock", "kp-enter": "Nummernblock Eingabe",
            "kp-+": "Nummernblock plus", "kp--": "Nummernblock minus", "kp-*": "Nummernblock Stern",
            "kp-/": "Nummernblock Schrägstrich",
        ],
        capital: "groß")
}
