/// Reads an SSML 1.1 document (W3C) part by part.
///
/// XML is parsed strictly: a document that is not well-formed causes an error with a position. SSML elements are
/// handled leniently: the text of unknown elements is spoken, and unknown attributes are ignored, but an invalid value
/// of a known attribute is an error. No files or URLs are opened. Time and memory use are linear in the length of the
/// document. Never blocks.
package struct SSMLScript: ScriptReader {
    /// The maximum size of a document in bytes.
    package static let largest = 8 << 20
    /// The maximum number of parts to collect before returning them.
    private static let maximumParts = 64
    /// The number of bytes of text to process at a time.
    private static let stretch = 4_096

    /// The range of the text that has not been processed yet.
    private var characters = 0..<0

    private var ready = ScriptPartList([])
    private var isAtEnd = false
    private var tokens: XMLReader
    private var frames: [SSMLFrame] = []
    /// The speeches that enclose the innermost open clip element, outermost first. The content of a clip element is the
    /// clip's alternative content, which is assembled in a separate speech.
    private var speeches: [SSMLSpeech] = []
    private var speech: SSMLSpeech
    private var ends = SSMLContourEnds()

    /// - Throws: an error if the document is too long, is not text or has an invalid declaration. Other errors are
    ///   thrown when the reader reaches them.
    package init(_ document: [UInt8]) throws(ScriptError) {
        guard document.count <= Self.largest else {
            throw ScriptError(.tooLong(limit: Self.largest), at: ScriptPosition(of: Self.largest, in: document.span))
        }
        tokens = try XMLReader(document, root: "speak")
        speech = SSMLSpeech(document: document)
    }

    /// A machine-independent measure of the work done.
    package var work: Int { tokens.work + speech.work }

    package mutating func next() throws(ScriptError) -> ScriptPart? {
        while true {
            if let part = ready.next() { return part }
            if isAtEnd { return nil }
            while speech.settledParts < Self.maximumParts || !speeches.isEmpty, !isAtEnd {
                if !characters.isEmpty {
                    sayCharacters()
                    continue
                }
                guard let token = try tokens.next() else {
                    isAtEnd = true
                    break
                }
                try take(token)
            }
            ready = ScriptPartList(isAtEnd ? speech.finish() : speech.takeSettled())
        }
    }

    private mutating func take(_ token: XMLToken) throws(ScriptError) {
        switch token {
        case .start(let tag): frames.append(try open(tag))
        case .end(let source): if let frame = frames.popLast() { close(frame, at: source) }
        case .characters(let range): characters = range
        case .reference(let scalar, let source):
            if let frame = frames.last, !frame.isSilent { speech.say(scalar, for: source, in: frame) }
        }
    }

    private mutating func sayCharacters() {
        var end = min(characters.lowerBound + Self.stretch, characters.upperBound)
        while end < characters.upperBound, UTF8.isContinuation(tokens.bytes[end]) { end += 1 }
        if let frame = frames.last, !frame.isSilent { speech.say(characters.lowerBound..<end, in: frame) }
        characters = end..<characters.upperBound
    }

    // MARK: - Elements

    /// The elements that take effect inside text with a pronunciation. All other elements contribute only their text.
    private static let heardInWords: Set = ["mark", "sub", "say-as", "desc", "metadata", "meta", "lexicon"]

    private mutating func open(_ tag: XMLTag) throws(ScriptError) -> SSMLFrame {
        var frame = frames.last ?? SSMLFrame()
        frame.closing = .nothing
        guard !frame.isSilent, !frame.isWord || Self.heardInWords.contains(tag.name) else { return frame }
        switch tag.name {
        case "p", "paragraph", "s", "sentence":
            frame.style.language = try language(of: tag, else: frame)
            let pause = tag.name.hasPrefix("p") ? PauseKind.paragraph : .sentence
            speech.end(pause)
            frame.closing = .block(pause)
        case "speak", "lang": frame.style.language = try language(of: tag, else: frame)
        case "voice":
            frame.style.voice = try voice(of: tag, inside: frame.style.voice)
            frame.style.language = try language(of: tag, else: frame)
        case "prosody":
            frame.style = try SSMLProsody.style(of: tag, inside: frame.style, failure: failure)
            if let contour = tag.attribute("contour") {
                let content = tag.source.upperBound..<ends.end(of: tag, in: &tokens)
                guard let targets = SSMLContour.targets(contour.value) else { throw failure(contour) }
                frame.style.contour = PitchContour(targets, source: content)
            }
        // Only whispering is supported.
        case "effect": if tag.attribute("name")?.value == "whispered" { frame.style.isWhispered = true }
        case "break":
            if let duration = try SSMLBreak.duration(of: tag, failure: failure) {
                speech.pause(duration, source: tag.source)
            }
        case "mark":
            guard let name = try value(of: "name", in: tag) else { throw missing("name", in: tag) }
            guard !name.value.isEmpty else { throw failure(name) }
            speech.mark(name.value, source: tag.source)
        case "sub":
            guard let alias = tag.attribute("alias") else { break }
            frame.isSilent = true
            frame.closing = .substitution(alias, content: tag.source.upperBound)
        case "say-as":
            let kind = tag.attribute("interpret-as")?.value
            if kind == "characters" || kind == "spell-out" || kind == "verbatim" {
                frame.isSpelled = true
                frame.closing = .spelling
            } else if let kind, !kind.isEmpty {
                frame.reading = ScriptReading(kind: kind, format: try value(of: "format", in: tag)?.value)
            }
        case "phoneme":
            guard let notation = tag.attribute("ph"), let ipa = try ipa(notation, of: tag) else { break }
            frame.isWord = true
            frame.closing = .word(ipa, notation)
            speech.beginWord(ipa)
        case "audio": try openClip(tag, in: &frame)
        case "desc", "metadata", "meta", "lexicon": frame.isSilent = true
        // Other elements do not affect their text: `emphasis`, `token`, `w`, and `lookup`, whose lexicon is not loaded.
        default: break
        }
        return frame
    }

    private mutating func openClip(_ tag: XMLTag, in frame: inout SSMLFrame) throws(ScriptError) {
        guard let name = try value(of: "src", in: tag), !name.value.isEmpty else { return }
        var gain = 0.0
        if let level = tag.attribute("soundLevel") {
            guard let quantity = SSMLQuantity(level.value), quantity.unit == "dB" else { throw failure(level) }
            gain = min(max(quantity.signed, -100), 40)
        }
        speeches.append(speech)
        speech = SSMLSpeech(document: tokens.bytes)
        frame.closing = .clip(name.value, gain: gain, start: tag.source.lowerBound)
    }

    private mutating func close(_ frame: SSMLFrame, at source: Range<Int>) {
        // State that the element itself sets, such as `isSilent`, ends with the element.
        let outer = frames.last ?? SSMLFrame()
        switch frame.closing {
        case .nothing: break
        case .block(let pause): speech.end(pause)
        case .spelling: speech.endSpelling()
        case .substitution(let alias, let start):
            let content = start..<source.lowerBound
            speech.say(alias.value, for: isBlank(content) ? alias.source : content, in: outer)
        case .word(let ipa, let notation):
            speech.endWord(ipa, notation: notation.source, in: outer)
        case .clip(let name, let gain, let start):
            let alternative = speech.finish()
            guard var outer = speeches.popLast() else { return }
            outer.work += speech.work
            speech = outer
            speech.clip(
                ScriptClip(name: name, gain: gain, alternative: alternative, source: start..<source.upperBound))
        }
    }

    private mutating func isBlank(_ range: Range<Int>) -> Bool {
        for index in range {
            tokens.work += 1
            if !XMLCharacters.isSpace(tokens.bytes[index]) { return false }
        }
        return true
    }

    // MARK: - Attributes

    /// The maximum length of a name, language or file name, in bytes.
    private static let longestValue = 4_096

    private func value(of name: String, in tag: XMLTag) throws(ScriptError) -> XMLAttribute? {
        guard let attribute = tag.attribute(name) else { return nil }
        guard attribute.value.utf8.count <= Self.longestValue else { throw failure(attribute) }
        return attribute
    }

    private func language(of tag: XMLTag, else frame: SSMLFrame) throws(ScriptError) -> String? {
        guard let attribute = try value(of: "xml:lang", in: tag) else { return frame.style.language }
        return attribute.value.isEmpty ? nil : attribute.value
    }

    /// Returns the voice for an element that requests one. A name requests a specific voice, so the language and gender
    /// of enclosing elements do not apply to it.
    private func voice(of tag: XMLTag, inside outer: ScriptVoice?) throws(ScriptError) -> ScriptVoice? {
        var voice = outer ?? ScriptVoice()
        if let name = try value(of: "name", in: tag)?.value, !name.isEmpty {
            voice = ScriptVoice(name: name)
            voice.mayBeAnother = true
        }
        // A list of languages, each optionally followed by a colon and an accent.
        let languages = try value(of: "languages", in: tag)
        let written = if let languages { languages } else { try value(of: "xml:lang", in: tag) }
        if let language = written?.value.split(whereSeparator: { $0 == " " || $0 == ":" }).first {
            voice.language = String(language)
        }
        if let gender = tag.attribute("gender"), !gender.value.isEmpty {
            guard ["female", "male", "neutral"].contains(gender.value) else { throw failure(gender) }
            voice.gender = gender.value
        }
        return voice == ScriptVoice() ? nil : voice
    }

    /// Returns the element's IPA, or nil if the element has no pronunciation or uses a different alphabet.
    private func ipa(_ notation: XMLAttribute, of tag: XMLTag) throws(ScriptError) -> String? {
        guard tag.attribute("alphabet").map({ $0.value == "ipa" }) ?? true else { return nil }
        let isHarmless = notation.value.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        let ipa = notation.value.split(separator: " ").joined(separator: " ")
        guard isHarmless, !ipa.contains("]]"), !ipa.hasSuffix("]") else { throw failure(notation) }
        return ipa.isEmpty ? nil : ipa
    }

    private func missing(_ name: String, in tag: XMLTag) -> ScriptError {
        tokens.failure(.expected(name), at: tag.source.lowerBound)
    }

    private func failure(_ attribute: XMLAttribute) -> ScriptError {
        let value = String(String.UnicodeScalarView(attribute.value.unicodeScalars.prefix(64)))
        return tokens.failure(.badValue(of: attribute.name, value: value), at: attribute.source.lowerBound)
    }
}
