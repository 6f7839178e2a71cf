import CSynthEngine
import SynthEngineLoading
import SynthEngineWire

/// Validates the texts of a request against the rules in the C header.
struct RecognitionValidator {
    /// Receives a violated rule and a description, phrased to follow "It".
    typealias Note = (RecognitionRecord.Rule, String) -> Void

    /// The first frame of the latest final text.
    private var latestFinal: UInt64 = 0
    /// The stable part of the latest partial text.
    private var stable: [UInt8] = []

    /// - Parameter read: the number of frames that the recognizer has read.
    /// - Returns: the text, or nil if it violates a rule. The violation is reported.
    mutating func text(
        _ heard: synth_heard, of request: RecognitionJob, read: UInt64, _ note: Note
    ) -> RecognizedText? {
        let isFinal = heard.kind == SYNTH_FINAL.rawValue
        let isLeftOut = heard.kind == SYNTH_LEFT_OUT.rawValue
        guard isFinal || isLeftOut || heard.kind == SYNTH_PARTIAL.rawValue else {
            note(.text, "reported text of the unknown kind \(heard.kind)")
            return nil
        }
        guard let content = content(heard, note) else { return nil }
        let bytes = Array(content.utf8)
        let quote = "\"\(content.prefix(60))\""
        guard let frames = Self.span(heard.frame, heard.frame_count, read) else {
            note(
                .text,
                "reported \(quote) for \(heard.frame_count) frames from frame \(heard.frame), but had read only \(read)"
            )
            return nil
        }
        var isRight = true
        func expect(_ isKept: Bool, _ fault: String) {
            guard isRight, !isKept else { return }
            note(.text, "reported \(quote) \(fault)")
            isRight = false
        }
        expect(frames.lowerBound >= latestFinal, "for audio that precedes its last final text")
        expect(Self.isBorder(heard.stable_length, bytes), "with a stable part that ends inside a character")
        expect(!isFinal || heard.stable_length == bytes.count, "as final, but not all of it as stable")
        expect(isLeftOut == (1...3).contains(heard.reason), "with the invalid reason \(heard.reason)")
        expect(Self.isShare(heard.confidence), "with the invalid confidence \(heard.confidence)")
        expect(heard.choice >= -1, "with the invalid choice \(heard.choice)")
        let isChoice = request.hints.kind == .choice
        expect(
            heard.choice == -1 || isChoice && Int(heard.choice) < request.hints.phrases.count,
            "with a chosen phrase that is not in the hints")
        // An invalid text is not examined further, because its pointers may also be invalid.
        guard isRight else { return nil }
        let language = known(heard.language)
        expect(
            heard.language == nil || language.map(RecognizedText.isLanguage) ?? false, "in an invalid language")
        guard isRight, let words = words(heard, bytes, read, quote, note) else { return nil }
        var text = RecognizedText(
            content, isFinal: isFinal, stable: heard.stable_length, frames: frames, language: language)
        text.words = words
        text.confidence = heard.confidence < 0 ? nil : heard.confidence
        text.choice = heard.choice < 0 ? nil : Int(heard.choice)
        if isLeftOut {
            text.leftOut = RecognizedText.LeftOut(rawValue: UInt8(clamping: heard.reason))
            return text
        }
        guard keep(bytes, isFinal, heard.stable_length, quote, note) else { return nil }
        if isFinal { latestFinal = frames.lowerBound }
        return text
    }

    /// Returns a text that failed validation, or an empty text if its length is invalid.
    static func raw(_ heard: synth_heard) -> RecognizedText {
        let isShown = heard.text != nil && lengths.contains(heard.length)
        let bytes = UnsafeRawBufferPointer(start: heard.text, count: isShown ? heard.length : 0)
        return RecognizedText(
            String(decoding: bytes, as: UTF8.self), isFinal: heard.kind == SYNTH_FINAL.rawValue, frames: 0..<0)
    }

    /// The valid lengths in bytes. A C length above `Int.max` is negative in Swift.
    private static let lengths = 0...65_536

    private func content(_ heard: synth_heard, _ note: Note) -> String? {
        guard heard.length != 0 else { return "" }
        func wrong(_ words: String) -> String? {
            note(.text, "reported \(words)")
            return nil
        }
        guard let start = heard.text, Self.lengths.contains(heard.length) else {
            let length = UInt(bitPattern: heard.length)
            return wrong("text of \(length) bytes that is NULL or too long")
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: heard.length)
        guard let content = String(validating: bytes, as: UTF8.self) else { return wrong("text that is not UTF-8") }
        guard RecognizedText.isPlain(content) else { return wrong("text with control characters") }
        guard start[heard.length] == 0 else { return wrong("text that is not null-terminated") }
        guard content.first?.isWhitespace != true, content.last?.isWhitespace != true else {
            return wrong("\"\(content.prefix(60))\", with a leading or trailing space")
        }
        return content
    }

    private func words(
        _ heard: synth_heard, _ text: [UInt8], _ read: UInt64, _ quote: String, _ note: Note
    ) -> [RecognizedWord]? {
        guard heard.word_count != 0 else { return [] }
        func wrong(_ words: String) -> [RecognizedWord]? {
            note(.text, "reported \(quote) with \(words)")
            return nil
        }
        guard let pointers = heard.words, (0...RecognizedText.maximumWords).contains(heard.word_count) else {
            return wrong("a list of \(UInt(bitPattern: heard.word_count)) words that is NULL or too long")
        }
        var words: [RecognizedWord] = []
        var end = 0
        for index in 0..<heard.word_count {
            guard let word = pointers[index].map({ synth_spoken_word_known($0) }) else {
                return wrong("a NULL word")
            }
            guard word.text_offset >= end, word.text_length > 0, word.text_offset <= text.count,
                word.text_length <= text.count - word.text_offset
            else { return wrong("a word outside the text, or out of order") }
            end = word.text_offset + word.text_length
            guard Self.isBorder(word.text_offset, text), Self.isBorder(end, text) else {
                return wrong("a word that ends inside a character")
            }
            guard let frames = Self.span(word.frame, word.frame_count, read) else {
                return wrong("a word in audio that it had not read")
            }
            guard Self.isShare(word.confidence) else {
                return wrong("a word with the invalid confidence \(word.confidence)")
            }
            words.append(
                RecognizedWord(
                    text: word.text_offset..<end, frames: frames,
                    confidence: word.confidence < 0 ? nil : word.confidence))
        }
        return words
    }

    /// Checks that the stable text is unchanged. A final text may cover only the beginning of the partial text.
    ///
    /// - Returns: false if the stable text changed. The violation is reported.
    private mutating func keep(
        _ bytes: [UInt8], _ isFinal: Bool, _ length: Int, _ quote: String, _ note: Note
    ) -> Bool {
        let promised = String(decoding: stable.prefix(60), as: UTF8.self)
        let isKept = bytes.starts(with: stable) || isFinal && !bytes.isEmpty && stable.starts(with: bytes)
        let now = bytes.starts(with: stable) ? Array(bytes.prefix(max(length, stable.count))) : stable
        stable = isFinal ? [] : now
        if !isKept { note(.stable, "reported \(quote) after it had declared \"\(promised)\" stable") }
        return isKept
    }

    private static func span(_ first: UInt64, _ count: UInt64, _ read: UInt64) -> Range<UInt64>? {
        let (end, isTooLarge) = first.addingReportingOverflow(count)
        return isTooLarge || end > read ? nil : first..<end
    }

    private static func isShare(_ value: Float) -> Bool { value == -1 || (0...1).contains(value) }

    private static func isBorder(_ position: Int, _ bytes: [UInt8]) -> Bool {
        (0...bytes.count).contains(position) && (position == bytes.count || bytes[position] & 0xC0 != 0x80)
    }
}
