import SpeechScript

/// What is heard of a text that was to be SSML and is not: its words without its tags, with characters for references, and
/// its marks. Linear work; nothing is an error.
struct MarkupRemains {
    private let document: [UInt8]
    private var text = MappedText()
    private var parts: [ScriptPart] = []
    private var position = 0

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]
    /// Elements that part words.
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

    /// False = it is a sign of the text.
    private mutating func tag(after plain: Int) -> Bool {
        let start = position
        guard start + 1 < document.count, Self.opens(document[start + 1]) else { return false }
        var end = start + 1
        // Another sign before the end: the first one was of the text.
        while end < document.count, document[end] != UInt8(ascii: ">"), document[end] != UInt8(ascii: "<") { end += 1 }
        guard end < document.count, document[end] == UInt8(ascii: ">") else {
            // What was looked at holds no other sign of a tag, so it is not looked at again.
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

    /// The name of a mark; nil = the tag is another.
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

    /// False = it is a sign of the text.
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
