/// Extracts tokens from chunks of text. A voice selected in one chunk remains in effect in subsequent chunks.
struct TokenReader {
    private static let open = UInt8(ascii: "[")
    private static let close = UInt8(ascii: "]")

    private var voice: ScriptVoice?

    /// - Parameters:
    ///   - document: the document that contains the text.
    ///   - literal: the offsets of literal brackets in ascending order. If nil, brackets after a backslash are literal.
    mutating func parts(
        of text: MappedText, in document: Span<UInt8>, literal: [Int]? = nil
    ) throws(ScriptError) -> [ScriptPart] {
        let utf8 = text.utf8
        let source = text.source
        var parts: [ScriptPart] = []
        var said = MappedText()
        var literals = (literal ?? [])[...]
        // The position of the first byte that has not been returned yet.
        var first = 0
        var index = 0
        func flush(to end: Int) {
            said.append(text.slice(first..<end))
            guard !said.isEmpty else { return }
            parts.append(.text(ScriptText(said.text, source: said.source, style: ScriptStyle(voice: voice))))
            said = MappedText()
        }
        while index < utf8.count {
            if literal == nil, utf8[index] == UInt8(ascii: "\\"), index + 1 < utf8.count, utf8[index + 1] == Self.open {
                said.append(text.slice(first..<index))
                said.append("[", for: source.sourceRange(of: index..<index + 2))
                index += 2
                first = index
                continue
            }
            guard utf8[index] == Self.open else {
                index += 1
                continue
            }
            while let next = literals.first, next < index { literals.removeFirst() }
            guard literals.first != index, let opening = opening(at: index, in: utf8) else {
                index += 1
                continue
            }
            let found: (token: SpeechToken, end: Int)
            do {
                found = try token(opening, in: utf8)
            } catch {
                let offset = error.place.offset
                let end = offset < utf8.count ? offset : max(offset - 1, 0)
                let place = source.sourceRange(of: end..<end + 1)
                throw ScriptError(
                    error.reason,
                    at: ScriptPosition(of: offset < utf8.count ? place.lowerBound : place.upperBound, in: document))
            }
            flush(to: index)
            first = found.end
            let range = index..<found.end
            append(found.token, text.slice(range), source.sourceRange(of: range), to: &parts)
            index = found.end
        }
        flush(to: utf8.count)
        return parts
    }

    private mutating func append(
        _ token: SpeechToken, _ written: MappedText, _ source: Range<Int>, to parts: inout [ScriptPart]
    ) {
        switch token {
        case .pause(let duration): parts.append(.silence(duration, source: source))
        case .mark(let name): parts.append(.mark(name, source: source))
        case .voice(let name): voice = name.map { ScriptVoice(name: $0) }
        case .clip(let name, let gain, let channel):
            parts.append(.clip(ScriptClip(name: name, gain: gain, channel: channel, source: source)))
        case .pronunciation(let ipa):
            parts.append(
                .text(
                    ScriptText(
                        written.text, source: written.source, style: ScriptStyle(voice: voice),
                        pronunciation: ScriptPronunciation(ipa: ipa, hasWords: false))))
        }
    }

    /// Returns the type of the token at a bracket, which is nil for a pronunciation, and the start of its value.
    private func opening(at bracket: Int, in utf8: [UInt8]) -> (word: SpeechToken.Word?, value: Int)? {
        guard bracket + 1 < utf8.count else { return nil }
        if utf8[bracket + 1] == Self.open { return (nil, bracket + 2) }
        let longest = SpeechToken.Word.longest
        guard let colon = utf8[bracket...].prefix(longest + 2).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(decoding: utf8[(bracket + 1)..<colon], as: UTF8.self).lowercased()
        return SpeechToken.Word(rawValue: name).map { ($0, colon + 1) }
    }

    private func token(
        _ opening: (word: SpeechToken.Word?, value: Int), in utf8: [UInt8]
    ) throws(ScriptError) -> (token: SpeechToken, end: Int) {
        var end = opening.value
        while end < utf8.count, utf8[end] != Self.close, utf8[end] != 0x0A, utf8[end] != 0x0D { end += 1 }
        let marks = opening.word == nil ? 2 : 1
        guard utf8[end...].prefix(marks).elementsEqual(repeatElement(Self.close, count: marks)) else {
            throw ScriptError(.expected(opening.word == nil ? "]]" : "]"), offset: end)
        }
        return (try SpeechToken(opening.word, TokenValue(utf8, opening.value..<end)), end + marks)
    }
}

extension ScriptError {
    /// Creates an error at an offset in a token's text, which is treated as a single line. `TokenReader` converts the
    /// offset to a document position.
    init(_ reason: Reason, offset: Int) {
        self.init(reason, at: ScriptPosition(line: 1, column: offset + 1, offset: offset))
    }
}
