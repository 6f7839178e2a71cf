/// Extracts text from the HTML in a document, chunk by chunk.
struct MarkdownHTML {
    struct Tag {
        /// The lowercase element name.
        let name: String
        let isEnd: Bool
        let place: Range<Int>
        /// The source range of an image's alternative text.
        let alternative: Range<Int>?
    }

    enum Part {
        case text(Range<Int>)
        case tag(Tag)
    }

    private enum State: Equatable {
        case text
        case tag
        /// The end marker, in lowercase, up to which text is hidden.
        case hidden(until: String)
    }

    private var state = State.text
    private var isInPreformatted = false
    // The tag that is being read.
    private var start = 0
    private var name: [UInt8] = []
    private var isEnd = false
    private var isNamed = false
    private var attribute: [UInt8] = []
    private var quote: UInt8 = 0
    private var value = 0
    private var alternative: Range<Int>?

    /// Elements whose text is hidden.
    static let hidden: Set = [
        "audio", "canvas", "iframe", "math", "noscript", "object", "rp", "rt", "script", "select", "style", "svg",
        "template", "title", "video",
    ]

    /// - Parameter isInline: whether the HTML is in a paragraph, where the library reports the text after a tag as text
    ///   of the document.
    mutating func read(_ range: Range<Int>, of document: Span<UInt8>, isInline: Bool, _ found: inout [Part]) {
        var index = range.lowerBound
        while index < range.upperBound {
            switch state {
            case .text: index = readText(from: index, range, document, &found)
            case .tag: index = readTag(from: index, range, document, isInline, &found)
            case .hidden(let end):
                guard let place = Self.find(end, index..<range.upperBound, document) else { return }
                state = .text
                // If an element's end marker is itself a tag, that tag is read next.
                index = end.hasPrefix("<") ? place : place + end.utf8.count
            }
        }
    }

    /// Whether the text that follows is visible.
    var isInText: Bool { state == .text }

    /// Handles the end of a line.
    mutating func readBreak() { (isNamed, attribute) = (true, quote == 0 ? [] : attribute) }

    private mutating func readText(
        from first: Int, _ range: Range<Int>, _ document: Span<UInt8>, _ found: inout [Part]
    ) -> Int {
        var index = first
        while index < range.upperBound, document[index] != UInt8(ascii: "<") { index += 1 }
        var begins = index < range.upperBound
        var after = index + 1
        if begins {
            if document.has("<!-->", at: index) {
                after = index + 5
            } else if document.has("<!--->", at: index) {
                after = index + 6
            } else if document.has("<!--", at: index) {
                (state, after) = (.hidden(until: "-->"), index + 4)
            } else if document.has("<![CDATA[", at: index) {
                (state, after) = (.hidden(until: "]]>"), index + 9)
            } else if document.has("<?", at: index) {
                (state, after) = (.hidden(until: "?>"), index + 2)
            } else if document.has("<!", at: index) {
                (state, after) = (.hidden(until: ">"), index + 2)
            } else {
                isEnd = document.has("</", at: index)
                let letter = index + (isEnd ? 2 : 1)
                begins = letter < range.upperBound && Self.isLetter(document[letter])
                if begins {
                    (state, start, after, name, isNamed) = (.tag, index, letter, [], false)
                    (attribute, quote, alternative) = ([], 0, nil)
                }
            }
        }
        let end = begins ? index : min(after, range.upperBound)
        if first < end { found.append(.text(first..<end)) }
        return min(after, range.upperBound)
    }

    private mutating func readTag(
        from first: Int, _ range: Range<Int>, _ document: Span<UInt8>, _ isInline: Bool, _ found: inout [Part]
    ) -> Int {
        for index in first..<range.upperBound {
            let byte = document[index]
            if quote != 0 {
                guard byte == quote else { continue }
                if attribute == Array("alt".utf8), value < index { alternative = value..<index }
                (quote, attribute) = (0, [])
            } else if byte == UInt8(ascii: ">") {
                end(at: index + 1, isInline, &found)
                return index + 1
            } else if !isNamed, Self.isLetter(byte) || byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) {
                if name.count < 16 { name.append(byte | 0x20) }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                (quote, value) = (byte, index + 1)
            } else {
                isNamed = true
                if !Self.isLetter(byte), byte != UInt8(ascii: "="), byte != 0x20 { attribute = [0] }
                if byte == 0x20 { attribute = [] }
                if Self.isLetter(byte), attribute.count < 16 { attribute.append(byte | 0x20) }
            }
        }
        return range.upperBound
    }

    private mutating func end(at index: Int, _ isInline: Bool, _ found: inout [Part]) {
        state = .text
        let name = String(decoding: name, as: UTF8.self)
        found.append(.tag(Tag(name: name, isEnd: isEnd, place: start..<index, alternative: alternative)))
        guard !isInline else { return }
        if name == "pre" { isInPreformatted = !isEnd }
        guard !isEnd else { return }
        if Self.hidden.contains(name) { state = .hidden(until: "</\(name)") }
        // Hide the text of a code block.
        if name == "code", isInPreformatted { state = .hidden(until: "</pre") }
    }

    /// Returns the end of the hidden range if a block ends within that range. Returns nil if nothing is hidden or the
    /// end marker is missing.
    func end(in document: Span<UInt8>, from index: Int) -> Int? {
        guard case .hidden(let end) = state, end != ">" else { return nil }
        return Self.end(of: end, index..<document.count, document)
    }

    /// Returns the end of a hidden range, or nil if the end marker is missing. If the marker starts a tag, the range
    /// includes the tag.
    static func end(of text: String, _ range: Range<Int>, _ document: Span<UInt8>) -> Int? {
        guard let start = find(text, range, document) else { return nil }
        var end = start + text.utf8.count
        guard text.hasPrefix("<") else { return end }
        while end < document.count, document[end - 1] != UInt8(ascii: ">") { end += 1 }
        return end
    }

    private static func find(_ text: String, _ range: Range<Int>, _ document: Span<UInt8>) -> Int? {
        let text = Array(text.utf8)
        guard range.count >= text.count else { return nil }
        return (range.lowerBound...range.upperBound - text.count).first { index in
            text.indices.allSatisfy { offset in
                let byte = document[index + offset]
                return (isLetter(byte) ? byte | 0x20 : byte) == text[offset]
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
