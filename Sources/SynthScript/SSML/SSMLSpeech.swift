/// Assembles script parts. Each run of white space becomes one space; white space is removed at the boundaries of
/// sentences and paragraphs and next to pauses and clips. Adjacent text with the same style is merged.
struct SSMLSpeech {
    private let document: [UInt8]
    private var parts: [ScriptPart] = []
    /// The text being assembled, with its style and pronunciation.
    private var text = MappedText()
    private var style = ScriptStyle()
    private var pronunciation: ScriptPronunciation?
    private var reading: ScriptReading?
    /// The pronunciation of the next text.
    private var word: ScriptPronunciation?
    /// The first white space character after the last word. Used only if a word follows.
    private var space: Range<Int>?
    /// Whether nothing has been spoken since a boundary that removes white space.
    private var isFresh = true
    private var isAfterSpelling = false
    /// Whether any text has been spoken since the last `.end`.
    private var hasSaid = false
    /// The index of the last `.end`, or nil if there is none or if text has been spoken since.
    private var lastEnd: Int?
    /// The maximum size of a part's text in bytes. A sentence may continue in the next part.
    private static let longestText = 16 << 10
    /// The number of bytes processed.
    var work = 0

    init(document: [UInt8]) {
        self.document = document
    }

    /// Ends the speech and returns the remaining parts.
    mutating func finish() -> [ScriptPart] {
        flush()
        return parts
    }

    /// The number of parts that can no longer change.
    var settledParts: Int { lastEnd ?? parts.count }

    /// Removes and returns the parts that can no longer change.
    mutating func takeSettled() -> [ScriptPart] {
        let settled = Array(parts[..<settledParts])
        parts.removeFirst(settled.count)
        if lastEnd != nil { lastEnd = 0 }
        return settled
    }

    // MARK: - Text

    /// Adds text from the document.
    mutating func say(_ range: Range<Int>, in frame: SSMLFrame) {
        work += range.count
        let document = document
        var index = range.lowerBound
        while index < range.upperBound {
            let blank = SSMLBlank.length(at: index, before: range.upperBound, in: document.span)
            if blank > 0 {
                skip(index..<index + blank)
                index += blank
                continue
            }
            let (value, length) = UTF8Cursor.scalar(at: index, in: document.span)
            guard let scalar = Unicode.Scalar(value) else { return }
            if frame.isSpelled {
                spell(scalar, for: index..<index + length, in: frame)
                index += length
            } else {
                let end = SSMLBlank.next(after: index, before: range.upperBound, in: document.span)
                separate(scalar, at: index)
                open(frame)
                text.append(copied: index..<end, of: document.span)
                index = end
            }
        }
    }

    /// Adds a character that stands for a document range.
    mutating func say(_ scalar: Unicode.Scalar, for source: Range<Int>, in frame: SSMLFrame) {
        work += 1
        let bytes = Array(String(scalar).utf8)
        if SSMLBlank.length(at: 0, before: bytes.count, in: bytes.span) > 0 {
            skip(source)
        } else if frame.isSpelled {
            spell(scalar, for: source, in: frame)
        } else {
            separate(scalar, at: source.lowerBound)
            open(frame)
            text.append(bytes, for: source)
        }
    }

    /// Adds text that stands for a document range.
    mutating func say(_ words: String, for source: Range<Int>, in frame: SSMLFrame) {
        let bytes = SSMLBlank.collapsed(Array(words.utf8))
        work += words.utf8.count
        guard let first = words.unicodeScalars.first(where: { $0 != " " }), !bytes.isEmpty else { return }
        separate(first, at: source.lowerBound)
        // Text of the same length as its source would be treated as a copy of the source. Extending the source range by
        // one byte makes the two correspond only as a unit.
        let isSame = bytes.count == source.count && bytes[...] != document[source]
        open(frame)
        text.append(bytes, for: source.lowerBound..<source.upperBound + (isSame ? 1 : 0))
    }

    private mutating func spell(_ scalar: Unicode.Scalar, for source: Range<Int>, in frame: SSMLFrame) {
        let isExtender = ScalarClass.isExtender(scalar.value)
        let touches = !isFresh && space == nil && !isExtender
        open(frame)
        let upper = scalar.properties.uppercaseMapping
        let letter = upper.unicodeScalars.count == 1 ? upper : String(scalar)
        text.append((touches && !(text.isEmpty && pronunciation != nil) ? " " : "") + letter, for: source)
    }

    /// Adds a space between spelled-out characters and the first letter of a word.
    private mutating func separate(_ scalar: Unicode.Scalar, at index: Int) {
        guard isAfterSpelling, space == nil, !isFresh else { return }
        let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        if isLetter { space = index..<index }
    }

    mutating func endSpelling() {
        isAfterSpelling = true
    }

    private mutating func skip(_ range: Range<Int>) {
        if !isFresh, space == nil { space = range }
    }

    /// Prepares to append text inside an element.
    private mutating func open(_ frame: SSMLFrame) {
        let isLong = text.count > Self.longestText && pronunciation == nil && reading == nil
        if !text.isEmpty, isLong || style != frame.style || pronunciation != word || reading != frame.reading {
            // The space becomes part of the preceding text, unless that text has a pronunciation.
            if pronunciation == nil { appendSpace() }
            flush()
        }
        if text.isEmpty {
            style = frame.style
            if space != nil, word != nil {
                pronunciation = nil
                appendSpace()
                flush()
            }
            pronunciation = word
            reading = frame.reading
        }
        appendSpace()
        isFresh = false
        isAfterSpelling = false
        hasSaid = true
        lastEnd = nil
    }

    private mutating func appendSpace() {
        guard let space else { return }
        text.append([0x20], for: space)
        self.space = nil
    }

    private mutating func flush() {
        guard !text.isEmpty else { return }
        parts.append(
            .text(
                ScriptText(text.text, source: text.source, style: style, pronunciation: pronunciation, reading: reading)
            ))
        text = MappedText()
    }

    // MARK: - Pronunciation

    mutating func beginWord(_ ipa: String) {
        word = ScriptPronunciation(ipa: ipa, hasWords: true)
    }

    /// Ends text that has a pronunciation. If there is no text, the phonemes themselves are used as the text.
    mutating func endWord(_ ipa: String, notation: Range<Int>, in frame: SSMLFrame) {
        if text.isEmpty || pronunciation == nil {
            word = ScriptPronunciation(ipa: ipa, hasWords: false)
            say(ipa, for: notation, in: frame)
        }
        flush()
        word = nil
    }

    // MARK: - Other parts

    mutating func pause(_ duration: Duration, source: Range<Int>) {
        breakOff()
        parts.append(.silence(duration, source: source))
    }

    /// Adds a mark. A mark inside text with a pronunciation is moved to the start of that text, which is never split.
    mutating func mark(_ name: String, source: Range<Int>) {
        if word == nil || pronunciation == nil { flush() }
        parts.append(.mark(name, source: source))
    }

    /// Adds a clip. White space around it is preserved in case text replaces the clip.
    mutating func clip(_ clip: ScriptClip) {
        if space != nil {
            if pronunciation != nil { flush() }
            pronunciation = nil
            reading = text.isEmpty ? nil : reading
            appendSpace()
        }
        breakOff()
        isFresh = false
        hasSaid = true
        lastEnd = nil
        parts.append(.clip(clip))
    }

    /// Ends the current sentence or paragraph, if there is one.
    mutating func end(_ pause: PauseKind) {
        breakOff()
        if hasSaid {
            lastEnd = parts.count
            parts.append(.end(pause))
            hasSaid = false
        } else if let lastEnd, pause == .paragraph {
            parts[lastEnd] = .end(.paragraph)
        }
    }

    private mutating func breakOff() {
        flush()
        space = nil
        isFresh = true
        isAfterSpelling = false
    }
}

/// White space between words: XML white space and all other characters that break lines or cannot be spoken (control
/// characters, byte order marks), because script text must not contain them.
enum SSMLBlank {
    /// Returns the length of the white space character at a position, or 0 if there is none.
    static func length(at index: Int, before end: Int, in bytes: Span<UInt8>) -> Int {
        let byte = bytes[index]
        if byte <= 0x20 || byte == 0x7F { return 1 }
        if byte == 0xC2, end - index >= 2, bytes[index + 1] < 0xA0 { return 2 }
        guard byte == 0xE2 || byte == 0xEF, end - index >= 3 else { return 0 }
        let isSeparator = byte == 0xE2 && bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8
        let isMark = byte == 0xEF && bytes[index + 1] == 0xBB && bytes[index + 2] == 0xBF
        return isSeparator || isMark ? 3 : 0
    }

    /// Returns the position of the next white space character, or `end`.
    static func next(after index: Int, before end: Int, in bytes: Span<UInt8>) -> Int {
        var index = index + 1
        while index < end, length(at: index, before: end, in: bytes) == 0 { index += 1 }
        return index
    }

    /// Replaces each run of white space with one space and removes white space at both ends.
    static func collapsed(_ text: [UInt8]) -> [UInt8] {
        var collapsed: [UInt8] = []
        var index = 0
        while index < text.count {
            let blank = length(at: index, before: text.count, in: text.span)
            if blank > 0 {
                index += blank
                continue
            }
            let end = next(after: index, before: text.count, in: text.span)
            if !collapsed.isEmpty { collapsed.append(0x20) }
            collapsed += text[index..<end]
            index = end
        }
        return collapsed
    }
}
