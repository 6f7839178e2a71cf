import SynthDocuments

extension [Document.Block] {
    /// Appends a pause between scenes, unless there are no blocks or the last block is a heading or another pause.
    ///
    /// - Returns: false if no pause was appended.
    @discardableResult
    mutating func appendScene(at position: Document.Position) -> Bool {
        guard let last, last.kind != .scene, !last.isHeading else { return false }
        append(Document.Block(.scene, "", at: position))
        return true
    }

    /// The blocks without a final scene pause, which is not needed at the end of a chapter.
    var withoutLastScene: [Document.Block] { last?.kind == .scene ? Array(dropLast()) : self }
}

/// Decorative characters and images.
enum Ornament {
    private static let signs: Set<Unicode.Scalar> = Set("*#~•·∙⋅_=+^<>|/\\oO0xX°¤¦§¶†‡.…:,-–—―‒¨'".unicodeScalars)
    /// The maximum length of a decorative line in characters. A longer line is treated as ASCII art rather than as a
    /// scene break.
    private static let longest = 200

    /// Whether a paragraph consists only of a scene break: "* * *", "⁂", "—o—".
    static func isSceneBreak(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 4 * longest else { return false }
        var (letters, marks) = (0, 0)
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.value == 0xFE0E || scalar.value == 0xFE0F { continue }
            if "oO0xX".unicodeScalars.contains(scalar) {
                letters += 1
            } else if signs.contains(scalar) || isDrawn(scalar) {
                marks += 1
            } else {
                return false
            }
        }
        // "x x x" and "o O o" are scene breaks, but "O" and "xx" are not.
        if letters == 0 { return marks > 0 && !isEllipsisOfSpeech(text) }
        if marks == 0, text.contains("o"), text.contains("O"), letters >= 3, letters <= 9 { return true }
        return marks > 0 ? letters <= 9 : letters == 3 && text.split(separator: " ").count == 3
    }

    /// Whether the text is a single punctuation mark that is not a scene break.
    private static func isEllipsisOfSpeech(_ text: String) -> Bool { text == "," || text == "'" || text == ":" }

    /// Whether the scalar is a decorative symbol, such as a bullet, a star or a box-drawing character.
    private static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2020...0x2023, 0x203B, 0x2042, 0x2043, 0x204E, 0x2051, 0x2055, 0x2058...0x205E, 0x2212, 0x2217...0x221A,
            0x22C5...0x22C6, 0x2500...0x25FF, 0x2605...0x2606, 0x2619, 0x263C, 0x2660...0x2667, 0x2698...0x269C,
            0x2720...0x274B, 0x2756, 0x2761...0x2767, 0x2794...0x27BF, 0x29EB, 0x2B25...0x2B2F, 0x2E0E...0x2E16,
            0x2E3A...0x2E3B, 0x3030, 0x30FB, 0xFF0A, 0x1F650...0x1F67F:
            true
        default: false
        }
    }

    private static let generic: Set = [
        "image", "images", "img", "picture", "pic", "photo", "photograph", "illustration", "graphic", "icon", "cover",
        "logo", "ornament", "ornaments", "decoration", "decorative", "flourish", "vignette", "divider", "separator",
        "break", "scene", "section", "rule", "line", "figure", "fig", "page", "title", "frontispiece", "bullet",
        "spacer",
        "background", "front", "back", "book", "the", "of", "a", "an", "alt", "text", "tailpiece", "headpiece",
        "colophon", "publisher", "publishers", "device", "asterisk", "asterisks", "dinkus", "fleuron", "space",
        "bild", "abbildung", "umschlag", "titelbild", "imagen", "portada", "couverture", "copertina", "immagine",
        "image",
        "omslag", "okładka", "обложка", "画像", "表紙", "封面",
    ]
    private static let endings: Set = [
        "jpg", "jpeg", "png", "gif", "svg", "webp", "bmp", "tif", "tiff", "avif", "jp2", "wmf", "emf",
    ]
    private static let separators: Set = [
        "ornament", "ornaments", "decoration", "decorative", "flourish", "vignette", "divider", "separator", "break",
        "scene", "asterisk", "asterisks", "dinkus", "fleuron", "tailpiece",
    ]

    /// Whether an image description is meaningless, such as the file name, "image" or "cover".
    static func isDecorative(alternative text: String) -> Bool {
        let bare = text.trimmed { $0.isWhitespace || "[](){}<>\"“”.".contains($0) }
        if bare.isEmpty || isSceneBreak(bare) { return true }
        let parts = bare.split(separator: ".")
        if parts.count > 1, let ending = parts.last, endings.contains(ending.lowercased()),
            !bare.contains(" ") || bare.count <= 60
        {
            return true
        }
        let words = words(bare)
        guard !words.isEmpty, words.count <= 6, bare.count > 2 else { return false }
        return words.contains { $0.count > 1 && generic.contains($0) }
            && words.allSatisfy { generic.contains($0) || $0.allSatisfy(\.isNumber) }
    }

    /// Whether an image between paragraphs is a scene break.
    static func isSeparator(alternative text: String) -> Bool {
        isSceneBreak(text) || isDecorative(alternative: text) && words(text).contains(where: separators.contains)
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { word in
            // Remove the digits from names such as "img0012".
            let letters = word.prefix { $0.isLetter }
            return String(letters.isEmpty || !word[letters.endIndex...].allSatisfy(\.isNumber) ? word : letters)
        }
    }
}

/// Page numbers that transcribers inserted into the text: "[Pg 12]".
enum PageMarks {
    private static let names = ["[pg", "[page", "{pg", "{page"]

    /// Returns the text without page numbers.
    static func removed(from text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 == "[" || $0 == "{" }) {
            result += rest[..<start]
            let inside = rest[start...].prefix(24)
            guard let end = inside.firstIndex(where: { $0 == "]" || $0 == "}" }), isPage(inside[..<end]) else {
                result.append(rest[start])
                rest = rest[rest.index(after: start)...]
                continue
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func isPage(_ text: Substring) -> Bool {
        let lower = text.lowercased()
        guard let name = names.first(where: lower.hasPrefix) else { return false }
        let number = lower.dropFirst(name.count).drop { $0 == "e" || $0 == "." || $0.isWhitespace }
        return !number.isEmpty && number.allSatisfy { $0.isNumber || "ivxlc".contains($0) }
    }
}

/// Footnote references in plain text: "It closed.12 Nobody", "a rose,4 then", "a word[3]".
enum WrittenNotes {
    /// Abbreviations that end with a period and precede numbers.
    private static let abbreviations: Set = [
        "no", "nr", "fig", "vol", "pp", "ch", "art", "sec", "par", "abb", "bd", "eq", "ref", "cap", "pag", "nos", "tab",
        "kap", "str", "rev", "ver", "vs", "vv", "ca", "tel", "ext", "psalm", "ps", "op", "chap", "para",
    ]

    /// Returns the text without footnote references.
    static func removed(from text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: isDigit) else { return text }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if let end = sign(in: bytes, at: position) {
                position = end
            } else {
                kept.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Returns the text of a footnote such as "[Footnote 3: Text.]", or nil if the paragraph is not a footnote.
    static func note(_ lines: [String]) -> String? {
        guard let first = lines.first, first.hasPrefix("[Footnote"), let colon = first.firstIndex(of: ":") else {
            return nil
        }
        let text = ([String(first[first.index(after: colon)...])] + lines.dropFirst()).joined(separator: " ")
        return text.trimmed { $0.isWhitespace || $0 == "]" }
    }

    /// Returns the end of a footnote reference that starts at a position, or nil if there is none.
    private static func sign(in text: [UInt8], at start: Int) -> Int? {
        guard start > 0 else { return nil }
        if text[start] == UInt8(ascii: "[") {
            // The reference must directly follow a word or its punctuation mark.
            let end = text[(start + 1)...].prefix(4).firstIndex { !isDigit($0) } ?? start + 1
            let isMark = end > start + 1 && end < text.count && text[end] == UInt8(ascii: "]") && text[start - 1] > 0x20
            return isMark ? end + 1 : nil
        }
        guard isDigit(text[start]), !isDigit(text[start - 1]) else { return nil }
        var mark = start - 1
        // Skip a closing quotation mark of one or three bytes.
        if mark > 2, text[mark - 2] == 0xE2, text[mark - 1] == 0x80, text[mark] == 0x9D || text[mark] == 0x99 {
            mark -= 3
        } else if text[mark] == UInt8(ascii: "\"") {
            mark -= 1
        }
        guard mark > 1, ".,;:!?".utf8.contains(text[mark]) else { return nil }
        let end = text[start...].firstIndex { !isDigit($0) } ?? text.count
        guard end - start <= 3, text[start] != UInt8(ascii: "0"),
            end == text.count || text[end] == 0x20 || text[end] == 0x0A
        else { return nil }
        let word = text[..<mark].suffix(12).reversed().prefix { isLetter($0) }
        guard word.count >= 2, word.first.map({ $0 >= UInt8(ascii: "a") }) ?? false else { return nil }
        let letters = String(decoding: word.reversed(), as: UTF8.self).lowercased()
        if abbreviations.contains(letters) { return nil }
        // After a comma, semicolon or colon, a number is a footnote reference only if the sentence continues in
        // lowercase.
        guard end < text.count, ",;:".utf8.contains(text[mark]) else { return end }
        return end + 1 < text.count && isLetter(text[end + 1]) && text[end + 1] >= UInt8(ascii: "a") ? end : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 }
}
