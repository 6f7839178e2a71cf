import SynthHost
import SynthScript

/// Converts a message into the scripts to try, in order: the intended script, and then the message as plain text.
enum ModuleText {
    /// - Parameter language: the language of the voice that will speak.
    static func scripts(_ message: ModuleMessage, _ settings: ModuleSettings, in language: String) -> [SpokenScript] {
        switch message.kind {
        case .text: return scripts(of: message.text, SpokenSigns(settings, in: language))
        case .character:
            let isCapital =
                settings.capitals != .none && message.text.count == 1 && message.text.first?.isUppercase == true
            let text = character(message.text, settings, in: language)
            return [plain(text, pitch: isCapital ? capitalPitch : 1)]
        case .key: return [plain(CharacterNames.of(language).word(forKey: message.text))]
        case .icon: return [plain(String(message.text.map { "-_".contains($0) ? " " : $0 }))]
        }
    }

    private static func scripts(of text: String, _ signs: SpokenSigns) -> [SpokenScript] {
        let document = Array(text.utf8)
        let bare = SpokenScript(document: document, parts: signs.said(MarkupRemains.parts(of: document)))
        guard let script = try? SpokenScript(document, as: .ssml), let parts = try? script.parts() else {
            return [bare]
        }
        return [script.stretch(signs.said(parts)), bare]
    }

    private static func character(_ text: String, _ settings: ModuleSettings, in language: String) -> String {
        if text == "space" { return CharacterNames.of(language).word(for: " ", announcesCapitals: false) }
        guard text.count == 1, let character = text.first else { return text }
        return CharacterNames.of(language).word(for: character, announcesCapitals: settings.capitals != .none)
    }

    /// The pitch factor for a capital letter, which is spoken four semitones higher.
    private static let capitalPitch = 1.26

    private static func plain(_ text: String, pitch: Double = 1) -> SpokenScript {
        let said = ScriptText(text, source: SourceMap(offset: 0), style: ScriptStyle(pitch: pitch))
        let parts = text.isEmpty ? [] : [ScriptPart.text(said)]
        return SpokenScript(document: Array(text.utf8), parts: parts)
    }
}

/// Replaces symbols, capitals and letters with their names, depending on the server's modes, and keeps track of source positions. Runs in
/// linear time.
struct SpokenSigns {
    let names: CharacterNames
    let punctuation: ModuleSettings.Punctuation
    let announcesCapitals: Bool
    let spells: Bool

    /// The maximum number of consecutive identical symbols that are announced individually. In a longer run, the symbol
    /// is announced once, preceded by the length of the run.
    private static let maximumRepeatedSymbols = 3

    init(_ settings: ModuleSettings, in language: String) {
        names = .of(language)
        punctuation = settings.punctuation
        announcesCapitals = settings.capitals != .none
        spells = settings.spells
    }

    /// Whether the settings leave all text unchanged.
    private var isIdle: Bool { punctuation == .none && !announcesCapitals && !spells }

    func said(_ parts: [ScriptPart]) -> [ScriptPart] {
        if isIdle { return parts }
        return parts.map { part in
            guard case .text(let text) = part, text.pronunciation == nil else { return part }
            return .text(said(text))
        }
    }

    private func said(_ text: ScriptText) -> ScriptText {
        let characters = Array(text.text)
        let bytes = Array(text.text.utf8)
        var said = MappedText()
        var (index, offset) = (0, 0)
        while index < characters.count {
            let character = characters[index]
            let count = runLength(at: index, in: characters)
            // Characters that compare equal can be encoded differently.
            let length = characters[index..<index + count].reduce(0) { $0 + $1.utf8.count }
            let place = text.source.sourceRange(of: offset..<offset + length)
            if let symbol = names.symbols[character], isAnnounced(at: index, in: characters) {
                let name =
                    count > Self.maximumRepeatedSymbols
                    ? "\(count) \(symbol)" : Array(repeating: symbol, count: count).joined(separator: " ")
                said.append(" \(name)", for: place, isWhole: true)
                // At the end of a word, the symbol also determines the intonation, so it is not removed.
                let ends = index + count == characters.count || characters[index + count].isWhitespace
                if count == 1, ends, ".,!?;:".contains(character), !spells {
                    said.append(String(character), for: place, isWhole: true)
                } else if !ends, characters[index + count].isLetter || characters[index + count].isNumber {
                    said.append(" ", for: place, isWhole: true)
                }
            } else if spells, !character.isWhitespace {
                let letter = names.word(for: character, announcesCapitals: announcesCapitals)
                for _ in 0..<count { said.append(" \(letter) ", for: place, isWhole: true) }
            } else {
                if announcesCapitals, character.isUppercase, index == 0 || !characters[index - 1].isUppercase {
                    let isInside = index > 0 && !characters[index - 1].isWhitespace
                    said.append("\(isInside ? " " : "")\(names.capital) ", for: place, isWhole: true)
                }
                said.append(offset..<offset + length, of: bytes.span, from: text.source)
            }
            index += count
            offset += length
        }
        if said.isEmpty { return text }
        return ScriptText(
            said.text, source: said.source, style: text.style, pronunciation: nil, reading: spells ? nil : text.reading)
    }

    /// Returns the length of the run of identical symbols that begins at this index, or 1 if the character is not a
    /// symbol.
    private func runLength(at index: Int, in characters: [Character]) -> Int {
        let character = characters[index]
        guard names.symbols[character] != nil, !character.isWhitespace else { return 1 }
        var end = index + 1
        while end < characters.count, characters[end] == character { end += 1 }
        return end - index
    }

    private func isAnnounced(at index: Int, in characters: [Character]) -> Bool {
        let character = characters[index]
        if character.isWhitespace { return false }
        if spells { return true }
        guard CharacterNames.level(of: character) <= punctuation else { return false }
        guard index > 0, index + 1 < characters.count else { return true }
        let (before, after) = (characters[index - 1], characters[index + 1])
        return switch character {
        // An apostrophe in a word, such as "don't", is not announced.
        case "'", "’": !(before.isLetter && after.isLetter)
        // A colon in a time, such as "10:30", is announced only in higher punctuation modes.
        case ":": punctuation > .some || !(before.isNumber && after.isNumber)
        default: true
        }
    }
}

/// The text and marks of invalid SSML, without tags and with references resolved. Any input is accepted, and the running time is linear.
struct MarkupRemains {
    private let document: [UInt8]
    private var text = MappedText()
    private var parts: [ScriptPart] = []
    private var position = 0

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]
    /// Elements that separate words.
    private static let borders: Set<String> = [
        "speak", "p", "s", "paragraph", "sentence", "break", "br", "div", "audio",
    ]
    private static let longestReference = 12

    private init(_ document: [UInt8]) { self.document = document }

    static func parts(of document: [UInt8]) -> [ScriptPart] {
        var remains = MarkupRemains(document)
        remains.read()
        return remains.parts
    }

    private mutating func read() {
        var plain = 0
        while position < document.count {
            let start = position
            let isRead =
                switch document[position] {
                case UInt8(ascii: "<"): tag(after: plain)
                case UInt8(ascii: "&"): reference(after: plain)
                default: false
                }
            if isRead {
                plain = position
            } else {
                position = start + 1
            }
        }
        copy(plain..<position)
        flush()
    }

    private mutating func copy(_ range: Range<Int>) {
        let document = document
        text.append(copied: range, of: document.span)
    }

    private mutating func flush() {
        if !text.isEmpty { parts.append(.text(ScriptText(text.text, source: text.source))) }
        text = MappedText()
    }

    /// Skips a tag. Returns false if the "<" is part of the text.
    private mutating func tag(after plain: Int) -> Bool {
        let start = position
        guard start + 1 < document.count, Self.opens(document[start + 1]) else { return false }
        var end = start + 1
        // If another "<" occurs before the end of the tag, the first "<" is part of the text.
        while end < document.count, document[end] != UInt8(ascii: ">"), document[end] != UInt8(ascii: "<") { end += 1 }
        guard end < document.count, document[end] == UInt8(ascii: ">") else {
            // The scanned range contains no other "<", so no byte is scanned twice.
            return false
        }
        copy(plain..<start)
        position = end + 1
        let body = String(decoding: document[start + 1..<end], as: UTF8.self)
        if let name = Self.mark(body) {
            flush()
            parts.append(.mark(name, source: start..<position))
        } else {
            let name = body.drop { $0 == "/" }.prefix { $0.isLetter }.lowercased()
            if Self.borders.contains(name) { text.append(" ", for: start..<position, isWhole: true) }
        }
        return true
    }

    private static func opens(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"),
            UInt8(ascii: "!"), UInt8(ascii: "?"):
            true
        default: false
        }
    }

    /// Returns the name of a mark, or nil if the tag is not a mark.
    private static func mark(_ body: String) -> String? {
        guard body.hasPrefix("mark"), body.dropFirst(4).first?.isWhitespace == true,
            let name = body.firstRange(of: "name")
        else { return nil }
        let rest = body[name.upperBound...].drop { $0.isWhitespace }
        guard rest.first == "=" else { return nil }
        let value = rest.dropFirst().drop { $0.isWhitespace }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        let written = value.dropFirst()
        guard let end = written.firstIndex(of: quote), end > written.startIndex else { return nil }
        return String(written[..<end])
    }

    /// Decodes a character or entity reference. Returns false if the "&" is part of the text.
    private mutating func reference(after plain: Int) -> Bool {
        let start = position
        let limit = min(document.count, start + Self.longestReference)
        guard let end = document[start..<limit].firstIndex(of: UInt8(ascii: ";")) else { return false }
        let name = String(decoding: document[start + 1..<end], as: UTF8.self)
        guard let character = Self.entities[name] ?? Self.character(name) else { return false }
        copy(plain..<start)
        position = end + 1
        text.append(character, for: start..<position, isWhole: true)
        return true
    }

    private static func character(_ name: String) -> String? {
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).map { String($0) }
    }
}
