/// Handles HTML tags, comments and character references.
extension MarkupScanner {
    private static let longestTag = 1000

    /// The elements that occur in text. Other names in angle brackets are treated as text: "<name>".
    private static let elements: Set<String> = [
        "a", "abbr", "address", "article", "aside", "b", "blockquote", "body", "br", "button", "caption", "cite",
        "code",
        "col", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "font", "footer", "form",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd",
        "label", "li", "link", "main", "mark", "meta", "nav", "ol", "option", "p", "pre", "q", "rp", "rt", "ruby", "s",
        "samp", "script", "section", "select", "small", "span", "strike", "strong", "style", "sub", "summary", "sup",
        "svg", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "tt", "u", "ul",
        "var",
        "video", "wbr",
        // Elements that language models use for their reasoning.
        "think", "thinking", "thought", "reasoning", "reflection", "answer",
        // SSML elements.
        "speak", "voice", "prosody", "emphasis", "phoneme", "token", "w", "audio", "desc", "lang", "break",
        "paragraph", "sentence", "effect", "express-as", "say-as", "backgroundaudio",
    ]

    private static let prefixes: Set<String> = ["amazon", "mstts", "ssml", "google"]

    /// Elements that separate words.
    private static let breaks: Set<String> = ["break", "speak", "br", "p", "div", "li", "td", "th", "tr", "hr"]

    /// Returns the offset after a tag, or nil if there is no tag.
    mutating func tag(at start: Int) -> Int? {
        if bytes[start...].starts(with: Array("<!--".utf8)) { return comment(at: start) }
        var offset = start + 1
        if byte(offset) == 0x2F { offset += 1 }
        var name = ""
        reading: while let byte = byte(offset), name.utf8.count < 16 {
            switch byte {
            // SSML names may contain a hyphen ("say-as") or a prefix ("amazon:effect").
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D: name.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x3A where Self.prefixes.contains(name.lowercased()): name = ""
            default: break reading
            }
            offset += 1
        }
        guard !name.isEmpty else { return nil }
        var end = offset
        while let byte = byte(end), byte != 0x3E, byte != 0x3C, end - start < Self.longestTag { end += 1 }
        guard byte(end) == 0x3E else { return nil }
        if Self.elements.contains(name.lowercased()) {
            // If a space follows the name, attributes must follow, too. Otherwise, the angle bracket is text: "a <b and
            // c> d".
            let isBare = byte(offset) == 0x3E || byte(offset) == 0x2F
            let hasAttributes = isSpace(offset) && (bytes[offset..<end].contains(0x3D) || byte(end - 1) == 0x2F)
            guard isBare || hasAttributes else { return nil }
            let isBreak = Self.breaks.contains(name.lowercased()) && isWord(end + 1)
            let isAfterMark = start > 0 && !isSpace(start - 1)
            remove(start..<end + 1, !isBreak ? "" : isWord(start - 1) ? ", " : isAfterMark ? " " : "")
            return end + 1
        }
        // Autolinks, such as <https://example.com> and <jane@example.com>.
        let inside = bytes[start + 1..<end]
        guard !inside.contains(0x20), inside.contains(0x40) || byte(offset) == 0x3A, byte(start + 1) != 0x2F else {
            return nil
        }
        remove(start..<start + 1)
        remove(end..<end + 1)
        return end + 1
    }

    private mutating func comment(at start: Int) -> Int? {
        guard !isWithoutCommentEnd else { return nil }
        var offset = start + 4
        while offset + 2 < bytes.count {
            if bytes[offset] == 0x2D, bytes[offset + 1] == 0x2D, bytes[offset + 2] == 0x3E {
                remove(start..<offset + 3)
                return offset + 3
            }
            offset += 1
        }
        // The characters may be ordinary text rather than a comment. If this comment is not terminated, no later one is
        // either, so do not search for an end again.
        isWithoutCommentEnd = true
        return nil
    }

    private static let references: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©", "reg": "®", "trade": "™",
        "hellip": "…", "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«",
        "raquo": "»", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "deg": "°", "times": "×", "divide": "÷",
        "frac12": "½", "frac14": "¼", "frac34": "¾", "middot": "·", "bull": "•", "sect": "§", "para": "¶",
        "plusmn": "±",
        "shy": "",
    ]

    /// Returns the offset after `&name;`, `&#38;` or `&#x26;`, or nil if there is no character reference.
    mutating func reference(at start: Int) -> Int? {
        var end = start + 1
        while let byte = byte(end), byte != 0x3B, byte < 0x80, byte > 0x20, byte != 0x26, end - start < 12 { end += 1 }
        guard byte(end) == 0x3B, end > start + 1 else { return nil }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        guard let character = Self.references[name] ?? Self.character(name) else { return nil }
        remove(start..<end + 1, character)
        return end + 1
    }

    private static func character(_ name: String) -> String? {
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        switch scalar.properties.generalCategory {
        case .control, .unassigned, .surrogate, .privateUse: return nil
        default: return String(scalar)
        }
    }
}
